import { runService } from '@muster/service-kit';
import { securityOps } from './service.ts';

await runService(securityOps);
