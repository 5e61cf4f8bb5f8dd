import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import pg from 'pg'
import { up } from '../../migrations/0045-jobs.ts'
import { createEmptyDatabase } from '../services/database/test-database.ts'

const database = await createEmptyDatabase()
const client = new pg.Client(database.connection)
await client.connect()
after(async () => {
  await client.end()
  await database.drop()
})

const SCHEMAS = ['graphile_worker', 'graphile_worker_network', 'graphile_worker_media']

/** The tables of graphile-worker 0.18, with the columns that the migration reads. */
async function createOldTables(schema: string): Promise<void> {
  await client.query(`
    create schema ${schema};
    create table ${schema}._private_tasks (id int primary key generated always as identity, identifier text not null);
    create table ${schema}._private_jobs (
      id bigint primary key generated always as identity,
      task_id int not null,
      payload json not null default '{}',
      run_at timestamptz not null default now(),
      attempts smallint not null default 0,
      max_attempts smallint not null default 8,
      last_error text,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now(),
      key text unique,
      locked_at timestamptz,
      locked_by text
    );
    create view ${schema}.jobs as select id from ${schema}._private_jobs;
    insert into ${schema}._private_tasks (identifier) values ('sendMail'), ('endPoll')`)
}

const addJob = (schema: string, columns: Record<string, unknown>) =>
  client.query(
    `insert into ${schema}._private_jobs (task_id, ${Object.keys(columns).join()})
     values (1, ${Object.keys(columns)
       .map((_, n) => `$${n + 1}`)
       .join()})`,
    Object.values(columns),
  )

test('the jobs of the former queues are moved with their state, and the former tables are dropped', async () => {
  for (const schema of SCHEMAS) await createOldTables(schema)
  const [queue = '', network = '', media = ''] = SCHEMAS
  const [locked, later] = ['2026-11-23T08:00:00Z', '2026-11-23T08:00:01Z']
  const running = { locked_at: locked, updated_at: locked, locked_by: 'w' }
  await addJob(queue, { payload: '{"mailId":"1"}', run_at: '2030-01-01T00:00:00Z', created_at: locked })
  await addJob(queue, { attempts: 2, last_error: 'refused', key: 'both' })
  await addJob(network, { key: 'both' })
  await addJob(network, { attempts: 8, last_error: 'refused', key: 'dead' })
  await addJob(network, { attempts: 8, key: 'last attempt', ...running })
  // A newer job took over the key of the first one.
  await addJob(media, { attempts: 8, ...running, updated_at: later })
  await addJob(media, { key: 'taken over' })
  await client.query(up)

  const { rows } = await client.query(
    'select queue, name, attempts, last_error as error, key, waiting_key as waiting, locked_by as locked from jobs order by id',
  )
  const none = { name: 'sendMail', attempts: 0, error: null, key: null, waiting: null, locked: null }
  assert.deepEqual(rows, [
    { ...none, queue: 'default' },
    { ...none, queue: 'default', attempts: 2, error: 'refused', key: 'both' },
    { ...none, queue: 'network', key: 'both', waiting: 'both' },
    { ...none, queue: 'network', attempts: 8, error: 'refused', key: 'dead' },
    { ...none, queue: 'network', attempts: 7, key: 'last attempt', waiting: 'last attempt' },
    { ...none, queue: 'media' },
    { ...none, queue: 'media', key: 'taken over', waiting: 'taken over' },
  ])
  const { rows: times } = await client.query('select payload, run_at, created_at from jobs where id = 1')
  assert.deepEqual(times, [
    { payload: { mailId: '1' }, run_at: new Date('2030-01-01T00:00:00Z'), created_at: new Date(locked) },
  ])
  assert.deepEqual((await client.query(`select from pg_namespace where nspname ~ '^graphile'`)).rows, [])
})
