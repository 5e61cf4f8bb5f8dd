import type { Command } from 'commander'
import { addRule, listRules, removeRule, translateRule } from '../../../domain/instance/rules.ts'
import { cleanText } from '../../../lib/text/clean-text.ts'
import { explainNotFound } from '../../explain-not-found.ts'
import { allowCreatingData, requireData } from '../../data-use.ts'
import type { RunCommand } from '../../run-command.ts'

/** Adds `linnet settings rules`, which manages the server rules. */
export function rulesCommand(settings: Command, run: RunCommand): void {
  const rules = settings.command('rules').description('add, list, translate and remove server rules')
  const hint = ['--hint <text>', 'explanation of the rule', ''] as const
  allowCreatingData(rules.command('add <text>'))
    .description('add a rule at the end and print its id')
    .option(...hint)
    .action((text: string, options: { hint: string }) =>
      run(async (ctx) => console.log(await ctx.write((tx) => addRule(tx, { by: null, text, hint: options.hint })))),
    )
  requireData(rules.command('list'))
    .description('list the rules with translations: id, text, hint')
    .action(() =>
      run(async (ctx) => {
        for (const { id, text, hint: hintText, translations } of await listRules(ctx)) {
          console.log(formatRow([id, text, hintText]))
          for (const [language, options] of Object.entries(translations)) {
            console.log(formatRow(['', `${language}: ${options.text}`, options.hint]))
          }
        }
      }),
    )
  requireData(rules.command('translate <id> <language> <text>'))
    .description('add a translation of a rule, such as de')
    .option(...hint)
    .action((id: string, language: string, text: string, options: { hint: string }) =>
      run(async (ctx) => {
        const translation = { id, language, text, hint: options.hint }
        await explainNotFound(
          ctx.write((tx) => translateRule(tx, { by: null, ...translation })),
          `There is no rule ${id}`,
        )
        console.log('OK')
      }),
    )
  requireData(rules.command('remove <id>'))
    .description('remove a rule; existing reports keep it')
    .action((id: string) =>
      run(async (ctx) => {
        await explainNotFound(
          ctx.write((tx) => removeRule(tx, { by: null, id })),
          `There is no rule ${id}`,
        )
        console.log('OK')
      }),
    )
}

function formatRow(cells: readonly string[]): string {
  return cells
    .map((cell) => cleanText(cell).replaceAll(/\s+/g, ' '))
    .join('\t')
    .trimEnd()
}
