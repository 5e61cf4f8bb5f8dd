/** The job queue, in a table of our own. Moves the jobs of the three queues of graphile-worker, and drops those. */
export const up = `
create table jobs (
  id bigint primary key generated always as identity,
  queue text not null check (queue in ('default', 'network', 'media')),
  -- the name of an effect, or of an event whose effects share the job
  name text not null,
  payload json not null,
  -- How often the job was started. A job that does not run and has no attempts left is dead.
  attempts smallint not null default 0,
  max_attempts smallint not null check (max_attempts > 0),
  -- A lock changes this column only for the last attempt. All other locks change no indexed column, so that PostgreSQL
  -- updates no index.
  has_attempts boolean not null generated always as (attempts < max_attempts) stored,
  run_at timestamptz not null,
  created_at timestamptz not null default now(),
  last_error text,
  key text collate "C",
  -- The key while the job waits: of jobs with one key, one waits. Null while the job runs and when it is dead.
  waiting_key text collate "C" unique,
  -- the worker that runs the job, or has fetched it to run it soon
  locked_by text,
  locked_at timestamptz
-- Leaves space in each page for the locks of its jobs.
) with (fillfactor = 50);
create index jobs_next on jobs (queue, run_at) where has_attempts;

do $$
declare
  old_queue record;
begin
  for old_queue in
    select * from (values ('default', 'graphile_worker'), ('network', 'graphile_worker_network'),
      ('media', 'graphile_worker_media')) as queues (name, schema)
    where to_regclass(schema || '._private_jobs') is not null
  loop
    -- Waits for transactions that write jobs. Later ones fail.
    execute format('lock table %I._private_jobs in access exclusive mode', old_queue.schema);
    -- Running jobs run again. A job whose key a newer one had taken over had lost its attempts.
    execute format(
      'insert into jobs (queue, name, payload, attempts, max_attempts, run_at, created_at, last_error, key)
       select %L, t.identifier, j.payload,
         case when j.locked_at is null then j.attempts when j.key is null and j.updated_at > j.locked_at then 0
           else greatest(j.attempts - 1, 0) end,
         j.max_attempts, j.run_at, j.created_at, j.last_error, j.key
       from %I._private_jobs j join %I._private_tasks t on t.id = j.task_id order by j.id',
      old_queue.name, old_queue.schema, old_queue.schema);
    execute format('drop schema %I cascade', old_queue.schema);
  end loop;
  -- Two queues may have had jobs with the same key. Both run; the newer one has the key.
  update jobs set waiting_key = key
    where id in (select max(id) from jobs where key is not null and has_attempts group by key);
end
$$;
`
