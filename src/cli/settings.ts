import { Argument, InvalidArgumentError } from 'commander'
import type { Command } from 'commander'
import type { Ctx } from '../domain/context.ts'
import { changeSetting, readSettings, resetSetting, SETTINGS } from '../domain/instance/settings.ts'
import type { SettingName } from '../domain/instance/settings.ts'
import { findNearestName } from '../lib/nearest-name.ts'
import { cleanText } from '../lib/text/cleanText.ts'
import { createsData, needsData } from './data-use.ts'
import { Halt } from './failure.ts'
import type { Run } from './open.ts'
import { readText } from './read-text.ts'
import { rulesCommand } from './rules.ts'
import { termsCommand } from './terms.ts'

const NAMES = Object.keys(SETTINGS) as SettingName[]

/** Of a longer text, so much is shown in a list. */
const SHOWN_CHARACTERS = 60

/** `linnet settings`: what the owner chooses while the server runs. */
export function settingsCommand(program: Command, run: Run): void {
  const settings = program.command('settings').description('show and change server settings')
  const name = () => new Argument('<name>').choices(NAMES).argParser(readName)
  needsData(settings.command('show'))
    .description('show all settings, or one in full')
    .addArgument(new Argument('[name]').choices(NAMES).argParser(readName))
    .action((only: SettingName | undefined) =>
      run(async (ctx) => {
        const values = await readSettings(ctx)
        if (only !== undefined) {
          console.log(cleanText(say(values[only])))
          return
        }
        const width = Math.max(...NAMES.map((one) => one.length))
        for (const one of NAMES) console.log(`${one.padEnd(width)}  ${shorten(say(values[one]))}`.trimEnd())
      }),
    )
  createsData(settings.command('set'))
    .description('change a setting')
    .addHelpText('after', describeSettings())
    .addArgument(name())
    .argument('[value]')
    .option('--file <path>', 'read the value from a file')
    .action((one: SettingName, value: string | undefined, { file }: { file?: string }) =>
      run(async (ctx) => {
        if ((value === undefined) === (file === undefined)) throw new Halt('Specify either the value or --file')
        await change(ctx, one, value ?? (await readText(file!)))
      }),
    )
  needsData(settings.command('reset'))
    .description('reset a setting to its default')
    .addArgument(name())
    .action((one: SettingName) =>
      run(async (ctx) => {
        await ctx.write((tx) => resetSetting(tx, { name: one }))
        console.log('OK')
      }),
    )
  rulesCommand(settings, run)
  termsCommand(settings, run)
  addShortForms(settings, run)
}

function readName(text: string): SettingName {
  const name = NAMES.find((one) => one === text)
  if (name !== undefined) return name
  const meant = findNearestName(text, NAMES)
  throw new InvalidArgumentError(meant === null ? `Allowed choices are ${NAMES.join(', ')}.` : `Did you mean ${meant}?`)
}

/** Some settings can be said without `set`. */
function addShortForms(settings: Command, run: Run): void {
  for (const one of ['registrations', 'directory'] as const) {
    createsData(settings.command(one))
      .description(`short for: set ${one}`)
      .addArgument(new Argument('<value>').choices(valuesOf(one)))
      .action((value: string) => run((ctx) => change(ctx, one, value)))
  }
  createsData(settings.command('timelines'))
    .description('short for: set timelines-<side>-<subject>')
    .addArgument(new Argument('<side>', 'local or remote posts').choices(['local', 'remote']))
    .addArgument(new Argument('<subject>', 'public timeline or hashtag timelines').choices(['live', 'topic']))
    .addArgument(new Argument('<value>').choices(valuesOf('timelines-local-live')))
    .action((side: 'local' | 'remote', subject: 'live' | 'topic', value: string) =>
      run((ctx) => change(ctx, `timelines-${side}-${subject}`, value)),
    )
}

async function change(ctx: Ctx, name: SettingName, text: string): Promise<void> {
  await ctx.write((tx) => changeSetting(tx, { name, text }))
  console.log('OK')
}

function valuesOf(name: SettingName): readonly string[] {
  const setting = SETTINGS[name]
  return setting.kind === 'switch' ? ['on', 'off'] : setting.kind === 'choice' ? setting.values : []
}

function say(value: string | boolean): string {
  return typeof value === 'string' ? value : value ? 'on' : 'off'
}

function shorten(text: string): string {
  const line = cleanText(text).replaceAll(/\s+/g, ' ')
  return line.length > SHOWN_CHARACTERS ? `${line.slice(0, SHOWN_CHARACTERS)}… (${text.length} characters)` : line
}

function describeSettings(): string {
  const width = Math.max(...NAMES.map((one) => one.length))
  const lines = NAMES.map((one) => {
    const values = valuesOf(one)
    return `  ${one.padEnd(width)}  ${SETTINGS[one].about}${values.length > 0 ? `: ${values.join(', ')}` : ''}`
  })
  return `\nSettings:\n${lines.join('\n')}`
}
