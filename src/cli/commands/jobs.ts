import { Option } from 'commander'
import type { Command } from 'commander'
import { countJobs, listJobs, retryJobs } from '../../platform/jobs/job-queue.ts'
import type { JobRow } from '../../platform/jobs/job-queue.ts'
import { JOB_ID } from '../../platform/jobs/queues.ts'
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
  const jobs = requireData(program.command('jobs'))
    .description('count, list and retry background jobs')
    .addHelpText('after', HELP)
    .action(() =>
      run(async ({ db, jobNames }) => {
        const counts = await countJobs(db, { known: jobNames })
        for (const state of STATES) console.log(`${state.padEnd(8)} ${counts[state] ?? 0}`)
      }),
    )
  requireData(jobs.command('list'))
    .description('list jobs, newest first')
    .addOption(new Option('--state <state>', 'only jobs in this state').choices(STATES))
    .option('--limit <number>', 'maximum number of jobs', readLimit, 50)
    .action(({ state, limit }: { state?: JobRow['state']; limit: number }) =>
      run(async ({ db, jobNames }) => {
        for (const job of await listJobs(db, { known: jobNames, state, limit })) console.log(describeJob(job))
      }),
    )
  requireData(jobs.command('retry'))
    .description('retry dead jobs')
    .argument('[id...]', 'ids of jobs')
    .option('--all-dead', 'all dead jobs')
    .action((ids: string[], { allDead = false }: { allDead?: boolean }) =>
      run(async ({ db }) => {
        if (allDead === ids.length > 0) throw new CommandError('Specify either ids of jobs or --all-dead')
        const invalidId = ids.find((id) => !JOB_ID.test(id))
        if (invalidId !== undefined) throw new CommandError(`"${invalidId}" is not the id of a job`)
        const count = await retryJobs(db, { ids: allDead ? 'dead' : ids })
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
