import type { Api, ServiceName } from '../core/endpoint.ts';
import { jobsApi } from './jobs/job.api.ts';
import { parkedApi } from './parked/parked.api.ts';

/** What every service answers for itself, beside its nouns: the gateway finds the one that is meant. */
export function platformApis(service: ServiceName): readonly Api[] {
  return [jobsApi(service), parkedApi(service)];
}
