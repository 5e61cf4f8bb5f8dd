import type { Command } from 'commander'
import { countTermsRecipients, notifyUsersOfTerms } from '../../../domain/instance/notify-users-of-terms.ts'
import { findTerms, listTerms, publishTerms, removeTerms } from '../../../domain/instance/terms-of-service.ts'
import { CommandError } from '../../command-error.ts'
import { explainNotFound } from '../../explain-not-found.ts'
import { allowCreatingData, requireData } from '../../data-use.ts'
import { allowJson, printRows } from '../../output/print-result.ts'
import type { OutputOptions } from '../../output/print-result.ts'
import type { RunCommand } from '../../run-command.ts'
import { readText } from '../../input/read-text.ts'

/** Adds `linnet settings terms`, which manages the versions of the terms of service. */
export function termsCommand(settings: Command, run: RunCommand): void {
  const terms = settings.command('terms').description('publish, list and remove terms of service')
  allowCreatingData(terms.command('publish <file>'))
    .description('publish terms of service from a Markdown file')
    .option('--effective <day>', 'effective date, such as 2026-01-31; default: today (UTC)')
    .option('--changelog <file>', 'a Markdown file about what has changed, for the mail to users')
    .action((file: string, { effective, changelog: changelogFile }: { effective?: string; changelog?: string }) =>
      run(async (ctx) => {
        const effectiveDate = effective ?? ctx.now().toISOString().slice(0, 10)
        const text = await readText(file)
        const changelog = changelogFile === undefined ? '' : await readText(changelogFile)
        await ctx.write((tx) => publishTerms(tx, { by: null, text, changelog, effectiveDate }))
        console.log('OK')
      }),
    )
  allowJson(requireData(terms.command('list')))
    .description('list the versions, latest first: effective date, state, length')
    .action((options: OutputOptions) =>
      run(async (ctx) => {
        const now = ctx.now()
        const today = now.toISOString().slice(0, 10)
        const rows = (await listTerms(ctx, { now })).map(({ effectiveDate, effective, text, succeededBy }) => {
          const isOver = succeededBy !== null && succeededBy <= today
          return { effectiveDate, state: isOver ? 'replaced' : effective ? 'in force' : 'scheduled', text }
        })
        printRows(options, {
          rows,
          cellsOf: ({ effectiveDate, state, text }) => [effectiveDate, state, `${text.length} characters`],
        })
      }),
    )
  requireData(terms.command('notify <day>'))
    .description('notify the users who signed up before a version was published, by mail or when they return')
    .option('--dry-run', 'only count them')
    .action((effectiveDate: string, { dryRun = false }: { dryRun?: boolean }) =>
      run(async (ctx) => {
        const missing = `There are no terms of ${effectiveDate}`
        const { mails, reviews } = await explainNotFound(countTermsRecipients(ctx, { effectiveDate }), missing)
        const { notificationSentAt } = await findTerms(ctx, { now: ctx.now(), date: effectiveDate })
        // Otherwise, a dry run would announce mails that nobody gets.
        if (notificationSentAt) throw new CommandError('Users have been notified of these terms already')
        if (!dryRun) await ctx.write((tx) => notifyUsersOfTerms(tx, { by: null, effectiveDate }))
        console.log(`${mails} by mail, ${reviews} when they open the web client`)
      }),
    )
  requireData(terms.command('remove <day>'))
    .description('remove a version')
    .action((effectiveDate: string) =>
      run(async (ctx) => {
        await explainNotFound(
          ctx.write((tx) => removeTerms(tx, { by: null, effectiveDate })),
          `There are no terms of ${effectiveDate}`,
        )
        console.log('OK')
      }),
    )
}
