import { runService } from '../src/index.ts';
import { service } from './notes.fixture.ts';

await runService(service);
