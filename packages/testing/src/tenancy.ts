import type { Connection, mongo } from 'mongoose';

type Part = Record<string, unknown>;

/** Watches what a service says to its database. */
export interface TenancyWatch {
  /** Raises when a command touched rows of organizations without naming which; lists those commands. */
  check(): void;
}

const MOST_LISTED = 20;
const MOST_CHARACTERS = 300;

/** The URI of a connection that tells what it says. */
export function told(uri: string): string {
  const base = uri.includes('?') ? `${uri}&` : `${uri.replace(/^(\w+(?:\+srv)?:\/\/[^/]+)$/, '$1/')}?`;
  return `${base}monitorCommands=true`;
}

/**
 * Watches a connection that was just created with a URI from {@link told}, from its first command on. All collections
 * with a model hold rows of organizations; messaging's own, which are raw, do not concern it.
 */
export function watchTenancy(connection: Connection): TenancyWatch {
  const unbound = new Set<string>();
  const isTenant = (collection: unknown) => connection.modelNames().includes(String(collection));

  const look = ({ commandName, command }: mongo.CommandStartedEvent) => {
    if (!isTenant(command[commandName])) return;
    if (boundsOf(commandName, command, isTenant).every(namesOrganization)) return;
    unbound.add(JSON.stringify(withoutSession(command)).slice(0, MOST_CHARACTERS));
  };
  connection.once('connected', () => connection.getClient().on('commandStarted', look));

  return {
    check() {
      if (unbound.size === 0) return;
      const listed = [...unbound].slice(0, MOST_LISTED).map((command) => `\n  ${command}`);
      throw new Error(
        `${unbound.size} commands on rows of organizations do not name the organization:${listed.join('')}`,
      );
    },
  };
}

/** What must name the organization in a command: its filters, the rows it inserts, what an aggregation joins. */
function boundsOf(name: string, command: Part, isTenant: (collection: unknown) => boolean): unknown[] {
  switch (name) {
    case 'find':
      return [command.filter];
    case 'count':
    case 'distinct':
    case 'findAndModify':
      return [command.query];
    case 'update':
      return (command.updates as Part[]).map(({ q }) => q);
    case 'delete':
      return (command.deletes as Part[]).map(({ q }) => q);
    case 'insert':
      return command.documents as unknown[];
    case 'aggregate':
      return [firstMatch(command.pipeline), ...joinsOf(command.pipeline as Part[], isTenant)];
    default:
      return [];
  }
}

function joinsOf(pipeline: Part[], isTenant: (collection: unknown) => boolean): unknown[] {
  return pipeline.flatMap(({ $lookup, $unionWith, $graphLookup }) => {
    const join = ($lookup ?? $unionWith ?? $graphLookup) as Part | string | undefined;
    if (join === undefined) return [];
    if (typeof join === 'string') return isTenant(join) ? [undefined] : [];
    if (!isTenant(join.from ?? join.coll)) return [];
    return [join.restrictSearchWithMatch ?? firstMatch(join.pipeline)];
  });
}

const firstMatch = (pipeline: unknown) => (pipeline as Part[] | undefined)?.[0]?.$match;

/** True for one organization, or a list of some; a condition such as `$ne` could mean all of them. */
function namesOrganization(filter: unknown): boolean {
  const organization = (filter as Part | undefined)?.org_id;
  if (typeof organization === 'string') return true;
  const among = (organization as Part | undefined)?.$in;
  return Array.isArray(among) && among.every((one) => typeof one === 'string');
}

function withoutSession(command: Part): Part {
  const { lsid: _lsid, $clusterTime: _time, ...said } = command;
  return said;
}
