import { appendFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { PACES } from './measure/pace.ts'
import { prepareDataset } from './setup/prepare-dataset.ts'
import { openStage } from './setup/open-stage.ts'
import { listRows } from './rows.ts'
const dataDir = resolve('data-bench')
const PORT = 3990
const accountIds = await prepareDataset(
  { DATA_DIR: dataDir, PORT: String(PORT), LOG_LEVEL: 'warn' },
  { accounts: 5_000, statuses: 200_000, feeds: 1_000, seed: 1 },
)
appendFileSync(
  dataDir + '/postgres/cluster/postgresql.auto.conf',
  "shared_preload_libraries = 'pg_stat_statements'\npg_stat_statements.track_planning=on\n",
)
const stage = await openStage({ dataDir, port: PORT, pace: PACES.quick, accountIds })
await stage.pool.query('create extension if not exists pg_stat_statements')
const only = new RegExp(process.argv[2]!)
for (const row of listRows().filter(({ name }) => only.test(name))) {
  await row.prepare?.(stage)
  await row.measure(stage)
  await stage.pool.query('select pg_stat_statements_reset()')
  const r = await row.measure(stage)
  console.log(row.name, JSON.stringify(r).slice(0, 300))
  const { rows } = await stage.pool.query(
    `select calls::int, round(total_exec_time::numeric,1) ms, round(mean_exec_time::numeric,3) mean, round(total_plan_time::numeric,1) plan, left(regexp_replace(query,'\\s+',' ','g'),130) q from pg_stat_statements order by total_exec_time+total_plan_time desc limit 45`,
  )
  for (const x of rows)
    console.log(
      String(x.calls).padStart(6),
      String(x.ms).padStart(8),
      String(x.mean).padStart(8),
      String(x.plan).padStart(7),
      x.q,
    )
  const t = (
    await stage.pool.query(
      `select sum(calls) c, sum(total_exec_time) e, sum(total_plan_time) p from pg_stat_statements`,
    )
  ).rows[0]
  console.log(t)
}
await stage.close()
process.exit(0)
