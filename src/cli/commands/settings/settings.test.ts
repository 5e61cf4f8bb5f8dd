import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { urlOf } from '../../../../test/servers/linnet-process.ts'
import type { Outcome } from '../../../../test/servers/linnet-process.ts'
import { cloneDatabase } from '../../../../test/services/database/test-database.ts'
import { runCommand } from '../../../../test/run-command.ts'

const database = await cloneDatabase()
let folder: string
let env: Record<string, string>

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'linnet-settings-'))
  env = { DATA_DIR: join(folder, 'data'), DATABASE_URL: urlOf(database.connection), LOCAL_DOMAIN: 'linnet.test' }
})
after(async () => {
  await database.drop()
  await rm(folder, { recursive: true, force: true })
})

const run = (...args: string[]): Promise<Outcome> => runCommand(args, env)
const settings = (...args: string[]) => run('settings', ...args)

async function assertOutput(work: Promise<Outcome>, stdout: string | RegExp): Promise<void> {
  const outcome = await work
  assert.deepEqual([outcome.code, outcome.stderr], [0, ''])
  if (typeof stdout === 'string') assert.equal(outcome.stdout, stdout)
  else assert.match(outcome.stdout, stdout)
}

async function assertError(work: Promise<Outcome>, line: string | RegExp): Promise<void> {
  const { code, stdout, stderr } = await work
  assert.deepEqual([code, stdout], [1, ''])
  if (typeof line === 'string') assert.equal(stderr, `${line}\n`)
  else assert.match(stderr, line)
}

test('a setting is shown, set from an argument or a file, and reset', async () => {
  await assertOutput(settings('set', 'title', '  Birds  '), 'OK\n')
  const file = join(folder, 'long.md')
  await writeFile(file, `# Hello\r\n\r\n${'word '.repeat(30)}\n`)
  await assertOutput(settings('set', 'extended-description', '--file', file), 'OK\n')
  await assertOutput(settings('set', 'peers', 'off'), 'OK\n')
  await assertOutput(settings('show', 'extended-description'), `# Hello\n\n${'word '.repeat(30).trim()}\n`)
  const all = await settings('show')
  assert.match(all.stdout, /^title +Birds$/m)
  assert.match(all.stdout, /^extended-description +# Hello word .{40,60}… \(158 characters\)$/m)
  assert.match(all.stdout, /^peers +off\nactivity +on\nannual-reports +on\ndomain-blocks +disabled$/m)
  await assertOutput(settings('reset', 'title'), 'OK\n')
  await assertOutput(settings('show', 'title'), 'linnet.test\n')
})

test('the short forms change the same settings', async () => {
  await assertOutput(settings('registrations', 'approved'), 'OK\n')
  await Promise.all([
    assertOutput(settings('directory', 'off'), 'OK\n'),
    assertOutput(settings('timelines', 'remote', 'live', 'authenticated'), 'OK\n'),
  ])
  const { stdout } = await settings('show')
  assert.match(stdout, /^registrations +approved$/m)
  assert.match(stdout, /^directory +off$/m)
  assert.match(stdout, /^timelines-local-live +public\ntimelines-remote-live +authenticated$/m)
})

test('an invalid call is rejected in one line', async () => {
  await Promise.all([
    assertError(settings('set', 'peers', 'perhaps'), 'Validation failed: Peers is not one of on, off'),
    assertError(settings('set', 'title'), 'Specify either the value or --file'),
    assertError(settings('set', 'title', '--file', join(folder, 'none')), `${join(folder, 'none')} does not exist`),
    assertError(settings('set', 'colour', 'red'), /'colour' is invalid.*Allowed choices are title/s),
    assertError(settings('rules', 'remove', '7'), 'There is no rule 7'),
    assertError(settings('terms', 'remove', '2999-01-01'), 'There are no terms of 2999-01-01'),
    assertError(run('domain-blocks', 'add', 'no domain'), 'Validation failed: Domain is not a valid domain name'),
    assertError(run('announcements', 'publish', 'x', '--ends', 'soon'), /"soon" is not a valid time/),
    assertError(run('announcements', 'publish'), 'Specify either the text or --file'),
    assertError(run('announcements', 'remove', '7'), 'There is no announcement 7'),
  ])
})

test('the help describes all settings', async () => {
  const [{ stdout }, shown] = await Promise.all([settings('set', '--help'), settings('show')])
  for (const line of shown.stdout.trim().split('\n')) {
    const [name] = line.split(' ')
    assert.match(stdout, new RegExp(`^ +${name} +\\S.+`, 'm'))
  }
})

test('rules are added, translated, listed and removed', async () => {
  await assertOutput(settings('rules', 'add', 'Be kind'), '1\n')
  await assertOutput(settings('rules', 'add', 'No spam', '--hint', 'Also not a little'), '2\n')
  await assertOutput(settings('rules', 'translate', '1', 'DE', 'Sei nett'), 'OK\n')
  await assertOutput(settings('rules', 'list'), '1\tBe kind\n\tde: Sei nett\n2\tNo spam\tAlso not a little\n')
  await assertOutput(settings('rules', 'remove', '1'), 'OK\n')
})

test('terms of service are published for a date, replaced before that date, and removed', async () => {
  const file = join(folder, 'terms.md')
  await writeFile(file, '# Terms')
  await assertOutput(settings('terms', 'publish', file, '--effective', '2020-01-31'), 'OK\n')
  await assertOutput(settings('terms', 'publish', file), 'OK\n')
  for (let time = 0; time < 2; time += 1)
    await assertOutput(settings('terms', 'publish', file, '--effective', '2999-01-01'), 'OK\n')
  await assertOutput(
    settings('terms', 'list'),
    /^2999-01-01\tscheduled\t7 characters\n\d{4}-\d\d-\d\d\tin force\t.*\n2020-01-31\treplaced\t.*\n$/,
  )
  await assertOutput(
    settings('terms', 'notify', '2999-01-01', '--dry-run'),
    /^\d+ by mail, \d+ when they open the web client\n$/,
  )
  await assertOutput(settings('terms', 'notify', '2999-01-01'), /^\d+ by mail/)
  for (const options of [[], ['--dry-run']])
    await assertError(
      settings('terms', 'notify', '2999-01-01', ...options),
      'Users have been notified of these terms already',
    )
  await assertError(settings('terms', 'notify', '2999-01-02'), 'There are no terms of 2999-01-02')
  await assertOutput(settings('terms', 'remove', '2999-01-01'), 'OK\n')
})

test('domain blocks are added, changed, listed and removed, with any notation of the domain', async () => {
  const blocks = (...args: string[]) => run('domain-blocks', ...args)
  await assertOutput(blocks('add', 'Bad.Example.'), 'Added\n')
  await assertOutput(
    blocks('add', 'bücher.example', '--severity', 'silence', '--comment', 'Dusty', '--obfuscate'),
    'Added\n',
  )
  await assertOutput(blocks('add', 'bad.example', '--reject-media', '--private-comment', 'Seen it'), 'Changed\n')
  await assertOutput(
    blocks('list'),
    'bad.example\tsuspend\treject-media\t-\tSeen it\nxn--bcher-kva.example\tsilence\tobfuscate\tDusty\t-\n',
  )
  // Only what the options name changes.
  await assertOutput(blocks('add', 'bücher.example', '--no-obfuscate', '--private-comment', 'Ticket 7'), 'Changed\n')
  await assertOutput(blocks('add', 'bad.example', '--no-reject-media'), 'Changed\n')
  await assertOutput(
    blocks('list'),
    'bad.example\tsuspend\t-\t-\tSeen it\nxn--bcher-kva.example\tsilence\t-\tDusty\tTicket 7\n',
  )
  await assertOutput(blocks('add', 'bücher.example'), 'Changed\n')
  await assertOutput(blocks('list'), /^xn--bcher-kva\.example\tsuspend\t-\tDusty\tTicket 7$/m)
  await assertOutput(blocks('remove', 'bücher.example'), 'OK\n')
})

test('announcements are published, listed and removed', async () => {
  const announcements = (...args: string[]) => run('announcements', ...args)
  await assertOutput(announcements('publish', 'Hello :)', '--ends', '2999-01-31'), '1\n')
  const file = join(folder, 'news.txt')
  await writeFile(file, 'Two\nlines\n')
  await assertOutput(announcements('publish', '--file', file, '--starts', '2999-01-30', '--all-day'), '2\n')
  await assertOutput(
    announcements('list'),
    /^2\t\S+Z\t-\tshown\tTwo lines\n1\t\S+Z\t2999-01-31T00:00:00\.000Z\tshown\tHello :\)\n$/,
  )
  await assertOutput(announcements('remove', '2'), 'OK\n')
})
