import { benchOn, changed } from './bench.ts';
import { batchConsumer, consumer } from './declared.ts';
import { sleeping } from './sleeping.job.ts';

const { role, engines } = JSON.parse(process.env.MESSAGING_CHILD ?? '{}');
const bench = benchOn(engines);

if (role === 'eater') {
  const eating = consumer(changed, async (received, { db, session }) => {
    if (received.data.text === 'poison') process.exit(1);
    await db.collection('eaten').insertOne({ _id: received.id as never }, { session });
  });
  await bench.run('twin', { consumers: [eating] });
} else if (role === 'batch eater') {
  const counting = batchConsumer(
    changed,
    async (events, { db, session }) => {
      for (const { subject, data } of events) {
        await db.collection('sums').insertOne({ _id: subject as never, sum: 1 }, { session });
        if (data.text === 'poison once') process.exit(1);
      }
    },
    { order: 'organization' },
  );
  await bench.run('twin', { consumers: [counting] });
} else {
  await bench.run('exercises', { jobs: [sleeping({ forever: true })] });
}
