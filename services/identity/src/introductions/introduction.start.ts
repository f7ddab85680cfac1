import type { Ctx } from '@muster/service-kit';
import { introduceServices } from './introduction.service.ts';

/** Tells services that are new to this deployment who may do what. */
export async function introduceNewServices(ctx: Ctx): Promise<void> {
  const services = await introduceServices(ctx);
  if (services.length > 0) ctx.log.info({ services }, 'services were told who may do what');
}
