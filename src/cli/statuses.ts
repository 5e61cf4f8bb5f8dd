import type { Command } from 'commander'
import { deleteStatusesAsStaff } from '../domain/moderation/delete-statuses.ts'
import { needsData } from './data-use.ts'
import type { Run } from './open.ts'

/** `linnet statuses`: what people of this server and of others posted. */
export function statusesCommand(program: Command, run: Run): void {
  const statuses = program.command('statuses').description('delete posts of others')
  needsData(statuses.command('delete <id...>'))
    .description('delete posts for good; their authors are told, if they are of here')
    .option('--reason <text>', 'what the authors are told', '')
    .action((ids: string[], { reason }: { reason: string }) =>
      run(async (ctx) => {
        const count = await ctx.write((tx) => deleteStatusesAsStaff(tx, { by: null, statusIds: ids, text: reason }))
        console.log(`Deleted: ${count}`)
      }),
    )
}
