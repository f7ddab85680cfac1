import { SERVICES, type ServiceName } from '../../core/endpoint.ts';
import { defineEvent } from '../../core/event.ts';
import { change, changeExample } from './change.schemas.ts';

const declare = <Service extends ServiceName>(source: Service) =>
  defineEvent({
    type: `${source}.change.recorded.v1`,
    source,
    summary: 'Somebody did, or was refused, something that the audit log keeps.',
    aggregate: 'change',
    data: change,
    example: changeExample,
  });

/** How each service tells its changes to the audit log. */
export const changeRecords = SERVICES.map(declare);

/** The event by which a service tells its changes to the audit log. */
export function changeRecordedBy<Service extends ServiceName>(source: Service) {
  return changeRecords[SERVICES.indexOf(source)] as ReturnType<typeof declare<Service>>;
}
