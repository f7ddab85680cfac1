import { runService } from '@muster/service-kit';
import { exercises } from './service.ts';

await runService(exercises);
