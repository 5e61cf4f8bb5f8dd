import assert from 'node:assert/strict'
import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import type { Command } from 'commander'
import { startLinnet, urlOf } from '../test/servers/linnet-process.ts'
import { runCommand } from '../test/run-command.ts'
import { createEmptyDatabase } from '../test/services/database/test-database.ts'
import { dataRequirementOf, listCommands } from './cli/data-use.ts'
import { createProgram } from './program.ts'

let folder: string
const { DATA_DIR, DATABASE_URL } = process.env
const program = await createProgram()
const commands = listCommands(program).filter((command) => command !== program)

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'linnet-program-'))
  delete process.env['DATABASE_URL']
})
after(async () => {
  for (const [name, value] of Object.entries({ DATA_DIR, DATABASE_URL })) {
    if (value === undefined) delete process.env[name]
    else process.env[name] = value
  }
  await rm(folder, { recursive: true, force: true })
})

function pathOf(command: Command): string[] {
  return command.parent === null ? [] : [...pathOf(command.parent), command.name()]
}

/** Returns a valid call of a command: the first choice of each argument, or any word. */
function callOf(command: Command): string[] {
  const words = command.registeredArguments.map((argument) => argument.argChoices?.[0] ?? 'title')
  return [...pathOf(command), ...words]
}

test('the help shows the defaults of values, and none of switches and empty texts', () => {
  const [list, warn] = ['list', 'warn'].map((name) =>
    commands.find((command) => pathOf(command).join(' ') === `accounts ${name}`)?.helpInformation(),
  )
  assert.match(list ?? '', /--json +print the result as JSON\n/)
  assert.match(list ?? '', /--limit <number> +maximum number of rows \(default: 50\)\n/)
  assert.match(warn ?? '', /--text <text> +text for the user\n/)
})

test('each command declares whether it requires data', () => {
  const undeclared = commands.filter(
    (command) => command.commands.length === 0 && dataRequirementOf(command) === undefined,
  )
  assert.deepEqual(undeclared.map(pathOf), [])
  const creating = commands
    .filter((command) => dataRequirementOf(command) === 'creates')
    .map((one) => pathOf(one).join(' '))
  assert.deepEqual(creating, [
    'serve',
    'migrate',
    'accounts create',
    'roles create',
    'settings set',
    'settings rules add',
    'settings terms publish',
    'settings registrations',
    'settings directory',
    'settings timelines',
    'emoji import',
    'announcements publish',
    'domain-blocks add',
    'domain-blocks import',
    'domain-allows add',
    'email-domain-blocks add',
    'ip-blocks add',
    'restore',
  ])
})

for (const command of commands.filter((one) => dataRequirementOf(one) === 'needs')) {
  test(`${pathOf(command).join(' ')} reports missing data and creates none`, async () => {
    const call = callOf(command)
    for (const dataDir of [join(folder, 'absent'), join(folder, 'empty')]) {
      if (dataDir.endsWith('empty')) await mkdir(dataDir, { recursive: true })
      process.env['DATA_DIR'] = dataDir
      await assert.rejects(program.parseAsync(call, { from: 'user' }), {
        name: 'CommandError',
        message: `There is no data in ${dataDir}; start the server first`,
      })
    }
    assert.deepEqual(await readdir(folder, { recursive: true }), ['empty'])
  })
}

test('a command that requires data leaves an unused database empty and creates no data folder', async (t) => {
  const database = await createEmptyDatabase()
  t.after(database.drop)
  const url = urlOf(database.connection)
  const absent = join(folder, 'absent')
  const ask = (dataDir: string) => runCommand(['mail', 'list'], { DATA_DIR: dataDir, DATABASE_URL: url })
  assert.deepEqual(await ask(absent), {
    code: 1,
    stdout: '',
    stderr: `There is no data in ${absent}; start the server first\n`,
  })
  const { code, stderr } = await ask(folder)
  assert.equal(code, 1)
  assert.match(stderr, /^There is no data in \S+; start the server first\n$/)
  assert.equal(await database.countTables(), 0)
})

test('a command names the permissions if its user may not look into the data folder', async (t) => {
  const dataDir = join(folder, 'private')
  await mkdir(dataDir, { mode: 0o000 })
  t.after(() => rm(dataDir, { recursive: true }))
  // As root, without the right to enter every folder.
  const within = process.getuid?.() === 0 ? ['setpriv', '--bounding-set=-dac_override,-dac_read_search'] : []
  const { code, stdout, stderr } = await startLinnet(['jobs'], { DATA_DIR: dataDir }, { within }).ended
  assert.deepEqual(
    { code, stdout, stderr },
    {
      code: 1,
      stdout: '',
      stderr: `This user may not read the data folder ${dataDir}: run the command as the user of the server\n`,
    },
  )
})

test('doctor works without data and creates none', async () => {
  const { stdout, stderr } = await runCommand(['doctor'], { DATA_DIR: join(folder, 'absent') })
  assert.equal(stderr, '')
  assert.match(stdout, /! there is no database yet\n/)
  assert.ok(!(await readdir(folder)).includes('absent'))
})

test('a mistyped command, subcommand or setting suggests the nearest one', async () => {
  for (const [call, meant] of [
    ['acounts create wren', 'accounts'],
    ['mail lits', 'list'],
    ['jobs lst', 'list'],
    ['settings set titel Birds', 'title'],
    ['settings show tittle', 'title'],
  ] as const) {
    const { code, stdout, stderr } = await runCommand(call.split(' '), { DATA_DIR: join(folder, 'absent') })
    assert.deepEqual([code, stdout], [1, ''], call)
    assert.match(stderr, new RegExp(`Did you mean ${meant}\\?`), call)
  }
})
