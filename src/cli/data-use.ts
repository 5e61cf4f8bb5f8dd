import type { Command } from 'commander'
import { findNearestName } from '../lib/find-nearest-name.ts'
import { readConfig } from '../platform/config/config.ts'
import { CommandError } from './command-error.ts'

/**
 * How a command behaves if no server has ever run. `needs`: it requires existing data, so it fails and creates nothing
 * · `creates`: it may create the data folder and the database · `none`: it checks for data itself.
 */
type DataRequirement = 'needs' | 'creates' | 'none'

const requirements = new WeakMap<Command, DataRequirement>()

/** Declares that a command requires existing data, which it reads, changes or removes. */
export function requireData(command: Command): Command {
  requirements.set(command, 'needs')
  return command
}

/** Declares that a command may create the data folder and the database. */
export function allowCreatingData(command: Command): Command {
  requirements.set(command, 'creates')
  return command
}

/** Declares that a command creates no data and works without it. */
export function requireNoData(command: Command): Command {
  requirements.set(command, 'none')
  return command
}

/** Returns the requirement that a command declared, or undefined. */
export function dataRequirementOf(command: Command): DataRequirement | undefined {
  return requirements.get(command)
}

/** Checks each command before its action runs: whether the subcommand exists, and whether the required data exists. */
export function checkCommands(program: Command): void {
  for (const command of listCommands(program)) {
    // Otherwise, a command with its own action would report a mistyped subcommand as an excess argument.
    // And it would take options of its subcommands that have the same names.
    if (command.commands.length > 0) command.allowExcessArguments().enablePositionalOptions()
  }
  program.hook('preAction', async (_, command) => {
    const [argument] = command.commands.length > 0 ? command.args : []
    if (argument !== undefined) failUnknownCommand(command, argument)
    const requirement = requirements.get(command)
    if (requirement === undefined)
      throw new Error(`The command ${command.name()} does not declare whether it requires data`)
    if (requirement !== 'needs') return
    const { findMissingData } = await import('../platform/db/find-missing-data.ts')
    const missing = await findMissingData(readConfig())
    if (missing !== null) throw new CommandError(`There is no data in ${missing}; start the server first`)
  })
}

/** Returns a command and all its subcommands. */
export function listCommands(command: Command): Command[] {
  return [command, ...command.commands.flatMap(listCommands)]
}

function failUnknownCommand(command: Command, argument: string): never {
  const names = command.commands.flatMap((subcommand) => [subcommand.name(), ...subcommand.aliases()])
  const suggestion = findNearestName(argument, names)
  return command.error(
    `error: unknown command '${argument}'${suggestion === null ? '' : `\n(Did you mean ${suggestion}?)`}`,
  )
}
