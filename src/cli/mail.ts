import type { Command } from 'commander'
import { findMail, listMails } from '../domain/mails/outbox.ts'
import { cleanText } from '../lib/text/cleanText.ts'
import { needsData } from './data-use.ts'
import type { Run } from './open.ts'

const MAILS_LISTED = 200

/** `linnet mail`: the letters that were not sent. */
export function mailCommand(program: Command, run: Run): void {
  const mail = program.command('mail').description('show mails that are stored because no mail server is configured')
  needsData(mail.command('list'))
    .description('list stored mails, newest first: id, date, recipient, subject')
    .action(() =>
      run(async (ctx) => {
        for (const { id, createdAt, recipient, subject } of await listMails(ctx, { limit: MAILS_LISTED })) {
          console.log(cleanText([id, createdAt.toISOString(), recipient, subject].join('\t')))
        }
      }),
    )
  needsData(mail.command('show <id>'))
    .description('print a stored mail')
    .action((id: string) =>
      run(async (ctx) => {
        const { recipient, subject, createdAt, text } = await findMail(ctx, { id })
        // A letter can quote what a stranger typed, which must not drive the terminal.
        console.log(cleanText(`To: ${recipient}\nSubject: ${subject}\nDate: ${createdAt.toISOString()}\n\n${text}`))
      }),
    )
}
