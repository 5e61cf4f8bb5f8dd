import type { Command } from 'commander'
import { addRule, readRules, removeRule, translateRule } from '../domain/instance/rules.ts'
import { cleanText } from '../lib/text/cleanText.ts'
import { createsData, needsData } from './data-use.ts'
import type { Run } from './open.ts'

/** `linnet settings rules`: what people of this server agree to. */
export function rulesCommand(settings: Command, run: Run): void {
  const rules = settings.command('rules').description('add, list, translate and remove server rules')
  const hint = ['--hint <text>', 'explanation of the rule', ''] as const
  createsData(rules.command('add <text>'))
    .description('add a rule at the end and print its id')
    .option(...hint)
    .action((text: string, words: { hint: string }) =>
      run(async (ctx) => console.log(await ctx.write((tx) => addRule(tx, { text, hint: words.hint })))),
    )
  needsData(rules.command('list'))
    .description('list the rules with translations: id, text, hint')
    .action(() =>
      run(async (ctx) => {
        for (const { id, text, hint: meaning, translations } of await readRules(ctx)) {
          console.log(rowOf([id, text, meaning]))
          for (const [language, words] of Object.entries(translations)) {
            console.log(rowOf(['', `${language}: ${words.text}`, words.hint]))
          }
        }
      }),
    )
  needsData(rules.command('translate <id> <language> <text>'))
    .description('add a translation of a rule, such as de')
    .option(...hint)
    .action((id: string, language: string, text: string, words: { hint: string }) =>
      run(async (ctx) => {
        await ctx.write((tx) => translateRule(tx, { id, language, text, hint: words.hint }))
        console.log('OK')
      }),
    )
  needsData(rules.command('remove <id>'))
    .description('remove a rule; existing reports keep it')
    .action((id: string) =>
      run(async (ctx) => {
        await ctx.write((tx) => removeRule(tx, { id }))
        console.log('OK')
      }),
    )
}

function rowOf(cells: readonly string[]): string {
  return cells
    .map((cell) => cleanText(cell).replaceAll(/\s+/g, ' '))
    .join('\t')
    .trimEnd()
}
