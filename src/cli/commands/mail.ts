import type { Command } from 'commander'
import { findUnsentMail, listUnsentMails } from '../../domain/mails/outbox.ts'
import { cleanText } from '../../lib/text/clean-text.ts'
import { requireData } from '../data-use.ts'
import type { RunCommand } from '../run-command.ts'

const MAILS_LISTED = 200

/** Adds `linnet mail`, which shows stored mails that were not sent. */
export function mailCommand(program: Command, run: RunCommand): void {
  const mail = program.command('mail').description('show mails that are stored because no mail server is configured')
  requireData(mail.command('list'))
    .description('list stored mails, newest first: id, date, recipient, subject')
    .action(() =>
      run(async (ctx) => {
        for (const { id, createdAt, recipient, subject } of await listUnsentMails(ctx, { limit: MAILS_LISTED })) {
          console.log(cleanText([id, createdAt.toISOString(), recipient, subject].join('\t')))
        }
      }),
    )
  requireData(mail.command('show <id>'))
    .description('print a stored mail')
    .action((id: string) =>
      run(async (ctx) => {
        const { recipient, subject, createdAt, text } = await findUnsentMail(ctx, { id })
        // Removes control characters: mails can quote untrusted text, which must not control the terminal.
        console.log(cleanText(`To: ${recipient}\nSubject: ${subject}\nDate: ${createdAt.toISOString()}\n\n${text}`))
      }),
    )
}
