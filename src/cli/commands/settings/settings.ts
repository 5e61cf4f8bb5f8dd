import { Argument, InvalidArgumentError } from 'commander'
import type { Command } from 'commander'
import type { Ctx } from '../../../domain/context.ts'
import { changeSetting, readSettings, resetSetting } from '../../../domain/instance/instance-settings.ts'
import { SETTING_NAMES, SETTINGS } from '../../../domain/instance/setting-definitions.ts'
import type { SettingName } from '../../../domain/instance/setting-definitions.ts'
import { findNearestName } from '../../../lib/find-nearest-name.ts'
import { cleanText } from '../../../lib/text/clean-text.ts'
import { allowCreatingData, requireData } from '../../data-use.ts'
import { CommandError } from '../../command-error.ts'
import { allowJson, printResult } from '../../output/print-result.ts'
import type { OutputOptions } from '../../output/print-result.ts'
import type { RunCommand } from '../../run-command.ts'
import { readText } from '../../input/read-text.ts'
import { rulesCommand } from './rules.ts'
import { termsCommand } from './terms.ts'

/** Longer texts are truncated in the list of settings. */
const MAX_SHOWN_CHARACTERS = 60

/** Adds `linnet settings`, which shows and changes settings while the server runs. */
export function settingsCommand(program: Command, run: RunCommand): void {
  const settings = program.command('settings').description('show and change server settings')
  const name = () => new Argument('<name>').choices(SETTING_NAMES).argParser(parseSettingName)
  allowJson(requireData(settings.command('show')))
    .description('show all settings, or one in full')
    .addArgument(new Argument('[name]').choices(SETTING_NAMES).argParser(parseSettingName))
    .action((selected: SettingName | undefined, options: OutputOptions) =>
      run(async (ctx) => {
        const values = await readSettings(ctx)
        const names = selected === undefined ? SETTING_NAMES : [selected]
        const width = Math.max(...SETTING_NAMES.map((settingName) => settingName.length))
        const lines = names.map((settingName) => {
          const text = formatValue(values[settingName])
          return selected === undefined ? `${settingName.padEnd(width)}  ${truncate(text)}`.trimEnd() : cleanText(text)
        })
        const result = Object.fromEntries(names.map((settingName) => [settingName, values[settingName]]))
        printResult(options, { result, lines })
      }),
    )
  allowCreatingData(settings.command('set'))
    .description('change a setting')
    .addHelpText('after', describeSettings())
    .addArgument(name())
    .argument('[value]')
    .option('--file <path>', 'read the value from a file')
    .action((settingName: SettingName, value: string | undefined, { file }: { file?: string }) =>
      run(async (ctx) => {
        if ((value === undefined) === (file === undefined)) throw new CommandError('Specify either the value or --file')
        await updateSetting(ctx, settingName, value ?? (await readText(file!)))
      }),
    )
  requireData(settings.command('reset'))
    .description('reset a setting to its default')
    .addArgument(name())
    .action((settingName: SettingName) =>
      run(async (ctx) => {
        await ctx.write((tx) => resetSetting(tx, { by: null, name: settingName }))
        console.log('OK')
      }),
    )
  rulesCommand(settings, run)
  termsCommand(settings, run)
  addShortcuts(settings, run)
}

function parseSettingName(text: string): SettingName {
  const name = SETTING_NAMES.find((settingName) => settingName === text)
  if (name !== undefined) return name
  const suggestion = findNearestName(text, SETTING_NAMES)
  throw new InvalidArgumentError(
    suggestion === null ? `Allowed choices are ${SETTING_NAMES.join(', ')}.` : `Did you mean ${suggestion}?`,
  )
}

/** Adds short forms without `set` for some settings. */
function addShortcuts(settings: Command, run: RunCommand): void {
  for (const name of ['registrations', 'directory'] as const) {
    allowCreatingData(settings.command(name))
      .description(`short for: set ${name}`)
      .addArgument(new Argument('<value>').choices(valuesOf(name)))
      .action((value: string) => run((ctx) => updateSetting(ctx, name, value)))
  }
  allowCreatingData(settings.command('timelines'))
    .description('short for: set timelines-<side>-<subject>')
    .addArgument(new Argument('<side>', 'local or remote posts').choices(['local', 'remote']))
    .addArgument(new Argument('<subject>', 'public timeline or hashtag timelines').choices(['live', 'topic']))
    .addArgument(new Argument('<value>').choices(valuesOf('timelines-local-live')))
    .action((side: 'local' | 'remote', subject: 'live' | 'topic', value: string) =>
      run((ctx) => updateSetting(ctx, `timelines-${side}-${subject}`, value)),
    )
}

async function updateSetting(ctx: Ctx, name: SettingName, text: string): Promise<void> {
  await ctx.write((tx) => changeSetting(tx, { by: null, name, text }))
  console.log('OK')
}

function valuesOf(name: SettingName): readonly string[] {
  const setting = SETTINGS[name]
  return setting.kind === 'switch' ? ['on', 'off'] : setting.kind === 'choice' ? setting.values : []
}

function formatValue(value: string | boolean | number): string {
  return typeof value === 'boolean' ? (value ? 'on' : 'off') : String(value)
}

function truncate(text: string): string {
  const line = cleanText(text).replaceAll(/\s+/g, ' ')
  return line.length > MAX_SHOWN_CHARACTERS
    ? `${line.slice(0, MAX_SHOWN_CHARACTERS)}… (${text.length} characters)`
    : line
}

function describeSettings(): string {
  const width = Math.max(...SETTING_NAMES.map((name) => name.length))
  const lines = SETTING_NAMES.map((name) => {
    const values = valuesOf(name)
    return `  ${name.padEnd(width)}  ${SETTINGS[name].description}${values.length > 0 ? `: ${values.join(', ')}` : ''}`
  })
  return `\nSettings:\n${lines.join('\n')}`
}
