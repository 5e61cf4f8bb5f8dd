import type { Command } from 'commander'
import { hasKey, requestAllKeyRotations, requestKeyRotation } from '../../../domain/moderation/accounts/rotate-keys.ts'
import type { Ctx } from '../../../domain/context.ts'
import { CommandError } from '../../command-error.ts'
import { requireData } from '../../data-use.ts'
import { findLocalAccountIdByName } from '../../input/find-account-id.ts'
import { allowDryRun, allowJson, printResult } from '../../output/print-result.ts'
import type { OutputOptions } from '../../output/print-result.ts'
import { showProgress } from '../../output/show-progress.ts'
import type { RunCommand } from '../../run-command.ts'

interface RotateOptions extends OutputOptions {
  all: boolean
  dryRun: boolean
}

const HELP = `
The server replaces the keys in the background: with --all 1,000 in five minutes, so that other servers are not flooded.
The former key signs the message that announces the new one. Suspended accounts are skipped by --all. An account that has
never been seen by another server has no key yet.`

/** Adds `linnet accounts rotate-keys`. */
export function rotateKeysCommand(accounts: Command, run: RunCommand): void {
  allowDryRun(allowJson(requireData(accounts.command('rotate-keys [name]'))))
    .description('replace the keys with which a local account, or all of them, sign')
    .addHelpText('after', HELP)
    .option('--all', 'replace the keys of all local accounts', false)
    .action((name: string | undefined, options: RotateOptions) =>
      run(async (ctx) => {
        const { all, dryRun } = options
        if (all === (name !== undefined)) throw new CommandError('Specify either a name or --all')
        const result = name === undefined ? await rotateAll(ctx, { dryRun }) : await rotateOne(ctx, { name, dryRun })
        const { accounts: count, until } = result
        const lines = [`${dryRun ? 'Would replace' : 'Requested'} ${count} ${count === 1 ? 'key' : 'keys'}`]
        if (until && count > 1)
          lines.push(`The last one ${dryRun ? 'would be' : 'is'} replaced at ${until.toISOString()}`)
        printResult(options, { result: { dryRun, ...result }, lines })
      }),
    )
}

interface Rotations {
  accounts: number
  until: Date | null
}

async function rotateAll(ctx: Ctx, { dryRun }: { dryRun: boolean }): Promise<Rotations> {
  const progress = showProgress()
  return requestAllKeyRotations(ctx, { dryRun, onProgress: (done) => progress(done, 'requesting') })
}

async function rotateOne(ctx: Ctx, { name, dryRun }: { name: string; dryRun: boolean }): Promise<Rotations> {
  const accountId = await findLocalAccountIdByName(ctx, { name })
  if (!(await hasKey(ctx, { accountId }))) return { accounts: 0, until: null }
  if (!dryRun) await ctx.write((tx) => requestKeyRotation(tx, { accountId, by: null }))
  return { accounts: 1, until: ctx.now() }
}
