import {
  eventsReceived,
  intelItemIngested,
  intelItemRemoved,
  operationCompleted,
  operationRemoved,
  sessionCompleted,
} from '@muster/contracts';
import { reaction } from '@muster/service-kit';
import { applySeen, applySource, removeSource } from './coverage.service.ts';

// All of an organization's events write to the same techniques, so they are taken one after the other.
const order = { order: 'organization' } as const;

/** What keeps the picture of an organization's techniques up to date. */
export const coverageReactions = {
  sessionCompleted: reaction(
    sessionCompleted,
    async (ctx, { seq, data }) => {
      const at = new Date(data.ended_at);
      const techniques = data.techniques.map((technique) => ({ technique, at }));
      await applySource(ctx, {
        kind: 'exercised',
        seq,
        ref: data.session_id,
        title: data.title,
        at,
        techniques,
      });
    },
    order,
  ),
  operationCompleted: reaction(
    operationCompleted,
    async (ctx, { seq, data }) => {
      const techniques = data.techniques
        .filter(({ result }) => result !== 'not_run')
        .map(({ technique, result, executed_at }) => ({
          technique,
          result,
          at: new Date(executed_at ?? data.ended_at),
        }));
      const at = new Date(data.ended_at);
      await applySource(ctx, {
        kind: 'proved',
        seq,
        ref: data.operation_id,
        title: data.name,
        at,
        techniques,
      });
    },
    order,
  ),
  operationRemoved: reaction(
    operationRemoved,
    async (ctx, { seq, data }) => await removeSource(ctx, 'proved', { ref: data.operation_id, seq }),
    order,
  ),
  intelItemIngested: reaction(
    intelItemIngested,
    async (ctx, { seq, data }) => {
      const at = new Date(data.published_at ?? data.ingested_at);
      const techniques = data.techniques.map(({ id }) => ({ technique: id, at }));
      await applySource(ctx, { kind: 'wanted', seq, ref: data.item_id, title: data.title, at, techniques });
    },
    order,
  ),
  intelItemRemoved: reaction(
    intelItemRemoved,
    async (ctx, { seq, data }) => await removeSource(ctx, 'wanted', { ref: data.item_id, seq }),
    order,
  ),
  eventsReceived: reaction(
    eventsReceived,
    async (ctx, { data }) =>
      await applySeen(ctx, { at: new Date(data.received_at), techniques: data.techniques }),
    order,
  ),
};
