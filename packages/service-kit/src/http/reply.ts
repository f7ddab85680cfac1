/** Answers 200. `etag` is the resource's version; without one the body's hash serves. */
export function ok<Body>(body: Body, options: { etag?: string } = {}) {
  return { status: 200 as const, body, headers: tagged(options.etag) };
}

/** Answers 201 with where the new resource is. */
export function created<Body>(body: Body, location: string, options: { etag?: string } = {}) {
  return { status: 201 as const, body, headers: { location, ...tagged(options.etag) } };
}

/** Answers 204. */
export function noContent() {
  return { status: 204 as const, body: null };
}

/** Leaves the answer to a job: what its result names, if it ends within the caller's wait, else 202 with the job. */
export function queued(jobId: string): Queued {
  return { jobId };
}

export interface Queued {
  jobId: string;
}

const tagged = (etag: string | undefined): Record<string, string> =>
  etag === undefined ? {} : { etag: `"${etag}"` };
