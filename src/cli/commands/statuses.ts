import type { Command } from 'commander'
import { deleteStatusesAsStaff } from '../../domain/moderation/statuses/delete-statuses-as-staff.ts'
import { requireData } from '../data-use.ts'
import { explainNotFound } from '../explain-not-found.ts'
import type { RunCommand } from '../run-command.ts'

/** Adds `linnet statuses`, which deletes local and remote statuses. */
export function statusesCommand(program: Command, run: RunCommand): void {
  const statuses = program.command('statuses').description('delete posts of other users')
  requireData(statuses.command('delete <id...>'))
    .description('delete posts permanently and notify local authors')
    .option('--reason <text>', 'reason, included in the notification', '')
    .action((ids: string[], { reason }: { reason: string }) =>
      run(async (ctx) => {
        const deletion = ctx.write((tx) => deleteStatusesAsStaff(tx, { by: null, statusIds: ids, text: reason }))
        const count = await explainNotFound(deletion, `There is no post ${ids.join(', ')}`)
        console.log(`Deleted: ${count}`)
      }),
    )
}
