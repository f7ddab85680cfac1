import { runService } from '@muster/service-kit';
import { identity } from './service.ts';

await runService(identity);
