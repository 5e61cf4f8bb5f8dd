import { Option } from 'commander'
import type { Command } from 'commander'
import { retryDeadJobs } from '../../domain/jobs/manage-jobs.ts'
import { countJobs, listJobs } from '../../platform/jobs/job-queue.ts'
import type { JobRow } from '../../platform/jobs/job-queue.ts'
import { JOB_ID } from '../../platform/jobs/queues.ts'
import { allowJson, printResult } from '../output/print-result.ts'
import type { OutputOptions } from '../output/print-result.ts'
import { renderAdminJob } from '../../render/admin/operations/render-admin-job.ts'
import { requireData } from '../data-use.ts'
import { CommandError } from '../command-error.ts'
import type { RunCommand } from '../run-command.ts'
import { readLimit } from '../input/read-limit.ts'

const STATES: JobRow['state'][] = ['waiting', 'running', 'retrying', 'dead', 'parked']

const HELP = `
States: waiting (queued), running, retrying (failed, will run again), dead (no attempts left), parked (this version has
no handler of that name).`

/** Adds `linnet jobs`, which shows and retries background jobs. */
export function jobsCommand(program: Command, run: RunCommand): void {
  const jobs = allowJson(requireData(program.command('jobs')))
    .description('count, list and retry background jobs')
    .addHelpText('after', HELP)
    .action((options: OutputOptions) =>
      run(async ({ db, jobNames }) => {
        const found = await countJobs(db, { known: jobNames })
        const counts = STATES.map((state) => [state, found[state] ?? 0] as const)
        const lines = counts.map(([state, count]) => `${state.padEnd(8)} ${count}`)
        printResult(options, { result: Object.fromEntries(counts), lines })
      }),
    )
  allowJson(requireData(jobs.command('list')))
    .description('list jobs, newest first')
    .addOption(new Option('--state <state>', 'only jobs in this state').choices(STATES))
    .option('--limit <number>', 'maximum number of jobs', readLimit, 50)
    .action(({ state, limit, json }: OutputOptions & { state?: JobRow['state']; limit: number }) =>
      run(async ({ db, jobNames }) => {
        const found = await listJobs(db, { known: jobNames, state, limit })
        printResult({ json }, { result: found.map(renderAdminJob), lines: found.map(describeJob) })
      }),
    )
  requireData(jobs.command('retry'))
    .description('retry dead jobs')
    .argument('[id...]', 'ids of jobs')
    .option('--all-dead', 'all dead jobs')
    .action((ids: string[], { allDead = false }: { allDead?: boolean }) =>
      run(async (ctx) => {
        if (allDead === ids.length > 0) throw new CommandError('Specify either ids of jobs or --all-dead')
        const invalidId = ids.find((id) => !JOB_ID.test(id))
        if (invalidId !== undefined) throw new CommandError(`"${invalidId}" is not the id of a job`)
        const count = await ctx.write((tx) => retryDeadJobs(tx, { ids: allDead ? 'dead' : ids, by: null }))
        console.log(count === 1 ? '1 job will be retried' : `${count} jobs will be retried`)
        if (count < ids.length) throw new CommandError(`${ids.length - count} of the jobs do not exist or are not dead`)
      }),
    )
}

/** Returns one line: id, state, name, attempts, time of the run, and reason of the failure. */
function describeJob({ id, state, name, attempts, maxAttempts, runAt, lastError }: JobRow): string {
  const [reason = ''] = (lastError ?? '').split('\n')
  const facts = [
    id.padEnd(6),
    state.padEnd(8),
    name.padEnd(20),
    `${attempts}/${maxAttempts}`.padEnd(5),
    runAt.toISOString(),
  ]
  return [...facts, reason].join('  ').trimEnd()
}
