import type { Command } from 'commander'
import { addRule, listRules, removeRule, translateRule } from '../../../domain/instance/rules.ts'
import { cleanText } from '../../../lib/text/clean-text.ts'
import { explainNotFound } from '../../explain-not-found.ts'
import { allowCreatingData, requireData } from '../../data-use.ts'
import { allowJson, printResult } from '../../output/print-result.ts'
import type { OutputOptions } from '../../output/print-result.ts'
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
  allowJson(requireData(rules.command('list')))
    .description('list the rules with translations: id, text, hint')
    .action((options: OutputOptions) =>
      run(async (ctx) => {
        const found = await listRules(ctx)
        const lines = found.flatMap(({ id, text, hint: hintText, translations }) => [
          formatRow([id, text, hintText]),
          ...Object.entries(translations).map(([language, translation]) =>
            formatRow(['', `${language}: ${translation.text}`, translation.hint]),
          ),
        ])
        printResult(options, { result: found, lines })
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
