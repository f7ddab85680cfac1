import { runService } from '../src/index.ts';
import { hangs, monitors } from './hung-driver.fixture.ts';
import { service } from './notes.fixture.ts';

process.on('SIGUSR2', () => void hangs(monitors));
await runService(service);
