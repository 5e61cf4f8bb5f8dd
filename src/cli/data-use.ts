import type { Command } from 'commander'
import { findNearestName } from '../lib/nearest-name.ts'
import { readConfig } from '../platform/config.ts'
import { Halt } from './failure.ts'

/**
 * What a command does where no server has ever run. `needs`: it works on what is stored, so it refuses and creates
 * nothing · `creates`: it stores something, so it may create the data folder and the database · `none`: it looks for
 * itself.
 */
type DataUse = 'needs' | 'creates' | 'none'

const uses = new WeakMap<Command, DataUse>()

/** Declares that a command works only on data that are there: it reads, changes or removes them. */
export function needsData(command: Command): Command {
  uses.set(command, 'needs')
  return command
}

/** Declares that a command may be the first to store something. */
export function createsData(command: Command): Command {
  uses.set(command, 'creates')
  return command
}

/** Declares that a command creates no data and copes without any. */
export function needsNoData(command: Command): Command {
  uses.set(command, 'none')
  return command
}

/** Returns what a command has declared; undefined when it has not. */
export function dataUseOf(command: Command): DataUse | undefined {
  return uses.get(command)
}

/** Checks every call before its action runs: whether its words make sense, and whether the data that it needs are there. */
export function checkCalls(program: Command): void {
  for (const command of listCommands(program)) {
    // A command that does something by itself takes a mistyped subcommand for an argument too many.
    if (command.commands.length > 0) command.allowExcessArguments()
  }
  program.hook('preAction', async (_, command) => {
    const [word] = command.commands.length > 0 ? command.args : []
    if (word !== undefined) refuseWord(command, word)
    const use = uses.get(command)
    if (use === undefined) throw new Error(`The command ${command.name()} does not declare what it does without data`)
    if (use !== 'needs') return
    const { findMissingData } = await import('../platform/db/find-missing-data.ts')
    const missing = await findMissingData(readConfig())
    if (missing !== null) throw new Halt(`There is no data in ${missing}; start the server first`)
  })
}

/** Returns a command and all below it. */
export function listCommands(command: Command): Command[] {
  return [command, ...command.commands.flatMap(listCommands)]
}

function refuseWord(command: Command, word: string): never {
  const names = command.commands.flatMap((one) => [one.name(), ...one.aliases()])
  const meant = findNearestName(word, names)
  return command.error(`error: unknown command '${word}'${meant === null ? '' : `\n(Did you mean ${meant}?)`}`)
}
