import type { ExpectedAction, Inject, ScenarioContent } from '@muster/contracts';
import { meaningOf, overlap } from '../evidence/passages.rules.ts';

type Role = ScenarioContent['roles'][number];

/** Being told of it by the inject outweighs one shared word. */
const ADDRESS_BONUS = 1.5;
const meanings = new WeakMap<Role, Set<string>>();

/**
 * The role, by id, that an action falls to: of those the inject goes to, or that its words are about, the one whose
 * name and responsibilities share most words with it; of equals the one that the inject names first.
 */
export function ownerOf(
  { roles }: Pick<ScenarioContent, 'roles'>,
  inject: Pick<Inject, 'to'>,
  action: Pick<ExpectedAction, 'text'>,
): string {
  const words = meaningOf(action.text);
  const order = [...inject.to, ...roles.map(({ id }) => id)];
  const ranked = roles
    .map((role) => ({
      id: role.id,
      fit: overlap(words, meaningOfRole(role)) + (inject.to.includes(role.id) ? ADDRESS_BONUS : 0),
    }))
    .sort((one, other) => other.fit - one.fit || order.indexOf(one.id) - order.indexOf(other.id));
  return ranked[0]?.id ?? '';
}

/** What people call a role: its name, or the id where the scenario does not have it. */
export function roleName({ roles }: Pick<ScenarioContent, 'roles'>, id: string): string {
  return roles.find((role) => role.id === id)?.name ?? id;
}

function meaningOfRole(role: Role): Set<string> {
  const known = meanings.get(role) ?? meaningOf(`${role.name}. ${role.responsibilities}`);
  meanings.set(role, known);
  return known;
}
