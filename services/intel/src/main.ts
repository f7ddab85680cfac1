import { runService } from '@muster/service-kit';
import { intel } from './service.ts';

await runService(intel);
