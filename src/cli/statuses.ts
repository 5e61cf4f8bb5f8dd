import type { Command } from 'commander'
import { deleteStatusesAsStaff } from '../domain/moderation/delete-statuses.ts'
import { needsData } from './data-use.ts'
import type { Run } from './open.ts'

/** `linnet statuses`: what people of this server and of others posted. */
export function statusesCommand(program: Command, run: Run): void {
  const statuses = program.command('statuses').description('delete posts of other users')
  needsData(statuses.command('delete <id...>'))
    .description('delete posts permanently and notify local authors')
    .option('--reason <text>', 'reason, included in the notification', '')
    .action((ids: string[], { reason }: { reason: string }) =>
      run(async (ctx) => {
        const count = await ctx.write((tx) => deleteStatusesAsStaff(tx, { by: null, statusIds: ids, text: reason }))
        console.log(`Deleted: ${count}`)
      }),
    )
}
