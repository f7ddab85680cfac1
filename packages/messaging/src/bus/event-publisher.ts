import { EVENT_EXCHANGE } from '@muster/contracts';
import type { Subscriptions } from '../options.ts';
import type { EventPublisher } from '../outbox/relay.ts';
import type { Link } from './link.ts';
import { PublishError, type Publisher } from './publisher.ts';

/**
 * Publishes outbox rows. An event that no service declared to consume has no queue, and is published all the same; one
 * that somebody consumes but no queue took is refused, and the topology declared again.
 */
export function createEventPublisher(parts: {
  link: Link;
  publisher: Publisher;
  subscriptions: Subscriptions;
}): EventPublisher {
  const { link, publisher } = parts;
  const consumed = new Set(Object.values(parts.subscriptions).flat());
  return {
    ready: publisher.ready,
    rebuild: link.rebuild,
    async publish(row) {
      const outcome = await publisher.send({
        exchange: EVENT_EXCHANGE,
        routingKey: row.type,
        body: Buffer.from(row.body),
        messageId: row._id,
        type: row.type,
      });
      if (outcome === 'confirmed' || !consumed.has(row.type)) return;
      link.rebuild(`no queue took a ${row.type}`);
      throw new PublishError('refused', `no queue took this ${row.type}, which has consumers`);
    },
  };
}
