import type { Command } from 'commander'
import { cullRemoteAccounts } from '../../../domain/account-deletion/cull-remote-accounts.ts'
import { pruneRemoteAccounts } from '../../../domain/account-deletion/prune-remote-accounts.ts'
import { requireData } from '../../data-use.ts'
import { parseDomain } from '../../input/read-domain.ts'
import { allowDryRun, allowJson, printResult } from '../../output/print-result.ts'
import type { OutputOptions } from '../../output/print-result.ts'
import { showProgress } from '../../output/show-progress.ts'
import type { RunCommand } from '../../run-command.ts'

interface RemoveOptions extends OutputOptions {
  dryRun: boolean
}

const CULL_HELP = `
Only accounts whose server has not described them for seven days are requested. An account is gone if its server responds
with 404 or 410. Servers that do not respond are listed and get no further requests; suspended domains get none.`

const PRUNE_HELP = `
An account stays if this server stores a post, an interaction, a follow, a block, a mute, a report or anything else of it
or about it. Limited and suspended accounts, bots and groups stay, and those that were fetched within a day.`

/** Adds the commands of `linnet accounts` that delete remote accounts. */
export function removeRemoteAccountsCommands(accounts: Command, run: RunCommand): void {
  allowDryRun(allowJson(requireData(accounts.command('cull [domain...]'))))
    .description('delete remote accounts that are gone on their servers, of some domains or all')
    .addHelpText('after', CULL_HELP)
    .action((names: string[], options: RemoveOptions) =>
      run(async (ctx) => {
        const { dryRun } = options
        const domains = names.length === 0 ? null : names.map(parseDomain)
        const progress = showProgress()
        const onProgress = (done: number) => progress(done, 'checking')
        const result = await cullRemoteAccounts(ctx, { domains, dryRun, onProgress })
        const { checked, removed, unreachable } = result
        printResult(options, {
          result: { dryRun, ...result },
          lines: [
            ...removed,
            `${dryRun ? 'Would delete' : 'Deleted'} ${removed.length} of ${checked} accounts`,
            ...unreachable.map((host) => `no response: ${host}`),
          ],
        })
      }),
    )
  allowDryRun(allowJson(requireData(accounts.command('prune'))))
    .description('remove remote accounts without any relation to other data')
    .addHelpText('after', PRUNE_HELP)
    .action((options: RemoveOptions) =>
      run(async (ctx) => {
        const { dryRun } = options
        const progress = showProgress()
        const onProgress = (done: number) => progress(done, 'checking')
        const removed = await pruneRemoteAccounts(ctx, { dryRun, onProgress })
        const verb = dryRun ? 'Would remove' : 'Removed'
        printResult(options, { result: { dryRun, removed }, lines: [`${verb} ${removed} accounts`] })
      }),
    )
}
