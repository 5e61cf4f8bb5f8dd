import type { Command } from 'commander'
import { listMails } from '../../domain/mails/manage-mails.ts'
import { findUnsentMail } from '../../domain/mails/outbox.ts'
import { cleanText } from '../../lib/text/clean-text.ts'
import { renderAdminMail } from '../../render/admin/operations/render-admin-mail.ts'
import { ADMINISTRATOR } from '../administrator.ts'
import { requireData } from '../data-use.ts'
import { explainNotFound } from '../explain-not-found.ts'
import { allowPages, readPages } from '../input/read-pages.ts'
import type { PageOptions } from '../input/read-pages.ts'
import { allowJson, printResult, printRows } from '../output/print-result.ts'
import type { OutputOptions } from '../output/print-result.ts'
import type { RunCommand } from '../run-command.ts'

const HELP = `
States: stored (no mail server was configured), queued (will be sent), failed (no attempts left, or rejected by the mail
server).`

/** Adds `linnet mail`, which shows mails that were not sent. */
export function mailCommand(program: Command, run: RunCommand): void {
  const mail = program
    .command('mail')
    .description('show mails that were not sent, for example because no mail server is configured')
    .addHelpText('after', HELP)
  allowPages(allowJson(requireData(mail.command('list'))))
    .description('list unsent mails, newest first: id, date, recipient, subject, state')
    .action((options: PageOptions & OutputOptions) =>
      run(async (ctx) => {
        const rows = await readPages(options, async (page) => {
          const found = await listMails(ctx, { state: null, page })
          return {
            ids: found.map(({ id }) => id),
            rows: found.map((one) => renderAdminMail(one, { staff: ADMINISTRATOR })),
          }
        })
        printRows(options, {
          rows,
          cellsOf: ({ id, created_at: createdAt, recipient, subject, state }) => [
            id,
            createdAt,
            recipient,
            subject,
            state,
          ],
        })
      }),
    )
  allowJson(requireData(mail.command('show <id>')))
    .description('print an unsent mail')
    .action((mailId: string, options: OutputOptions) =>
      run(async (ctx) => {
        const { id, recipient, subject, createdAt, text } = await explainNotFound(
          findUnsentMail(ctx, { id: mailId }),
          `There is no unsent mail ${mailId}`,
        )
        // Removes control characters: mails can quote untrusted text, which must not control the terminal.
        const line = cleanText(`To: ${recipient}\nSubject: ${subject}\nDate: ${createdAt.toISOString()}\n\n${text}`)
        printResult(options, { result: { id, recipient, subject, createdAt, text }, lines: [line] })
      }),
    )
}
