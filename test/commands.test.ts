import { test } from 'node:test'
import type { TestContext } from 'node:test'
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { chmod, cp, mkdir, mkdtemp, readFile, realpath, rm, symlink, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

const ROOT = new URL('..', import.meta.url).pathname
const COMMANDS =
  'linnet test test.ts choose-tests.ts dev prepare.sh prepare-web.sh prepare-server.sh install.mjs'.split(' ')

interface Outcome {
  code: number
  stdout: string
  stderr: string
}

interface Clone {
  root: string
  /** Returns how many times npm was called to install. */
  installs(): Promise<number>
  run(command: string, args?: string[], options?: { cwd?: string; path?: string; home?: string }): Promise<Outcome>
}

/** Creates a fresh clone of the commands with a small program, and an npm that only records its calls. */
async function makeClone(t: TestContext, npm = 'exit 0'): Promise<Clone> {
  const root = join(await realpath(await mkdtemp(join(tmpdir(), 'commands-'))), 'a clone')
  t.after(() => rm(dirname(root), { recursive: true }))
  for (const folder of ['bin', 'src', 'test/runner', 'fake']) await mkdir(join(root, folder), { recursive: true })
  for (const file of COMMANDS) await cp(join(ROOT, 'bin', file), join(root, 'bin', file))
  await mkdir(join(root, 'src/lib'))
  await cp(join(ROOT, 'src/lib/find-nearest-name.ts'), join(root, 'src/lib/find-nearest-name.ts'))
  await writeFile(join(root, 'package.json'), '{"name":"linnet","type":"module"}')
  await writeLock(root, '1.0.0')
  await writeFile(
    join(root, 'src/main.ts'),
    'const words: string[] = process.argv.slice(2)\nconsole.log(JSON.stringify(words))\n',
  )
  await addWebClient(root)
  // Without a bundle, the program runs from its source.
  await writeFile(join(root, 'bin/build-server.ts'), 'process.exitCode = 1\n')
  await mkdir(join(root, 'migrations'))
  const installLog = join(root, 'installs')
  const done = `mkdir -p node_modules && sed 's/"":/"own":/' package-lock.json >node_modules/.package-lock.json`
  await writeProgram(
    join(root, 'fake/npm'),
    `echo "$*" >>"${installLog}"; echo chatter; ${npm === 'exit 0' ? done : npm}`,
  )
  return {
    root,
    installs: async () => (await readFile(installLog, 'utf8').catch(() => '')).split('\n').filter(Boolean).length,
    run: (command, args = [], { cwd = root, path = '', home = root } = {}) =>
      new Promise((resolve) => {
        const env = {
          HOME: home,
          PATH: [path, join(root, 'fake'), dirname(process.execPath), '/usr/bin:/bin'].filter(Boolean).join(':'),
        }
        execFile(command, args, { cwd, env }, (err, stdout, stderr) =>
          resolve({ code: err === null ? 0 : Number(err.code), stdout, stderr }),
        )
      }),
  }
}

/** Adds the files of which the web client is built, and a build that only records that it ran. */
async function addWebClient(root: string): Promise<void> {
  for (const folder of ['web/src', 'src/lib/messages/web-catalogues', 'src/http/pages/layout'])
    await mkdir(join(root, folder), { recursive: true })
  for (const file of ['web/package.json', 'web/vite.config.ts', 'web/src/main.tsx', 'src/http/pages/layout/tokens.css'])
    await writeFile(join(root, file), '')
  await writeFile(
    join(root, 'bin/build-web.ts'),
    `import { appendFileSync, mkdirSync } from 'node:fs'
     mkdirSync('web/dist', { recursive: true })
     appendFileSync('web/dist/.built', 'built\\n')\n`,
  )
}

/** Adds a build of the server that copies its program, and records that it ran. */
async function addBundler(root: string): Promise<void> {
  await writeFile(
    join(root, 'bin/build-server.ts'),
    `import { appendFileSync, copyFileSync, mkdirSync, writeFileSync } from 'node:fs'
     const folder = 'node_modules/.cache/linnet-server'
     mkdirSync(folder + '/one', { recursive: true })
     copyFileSync('src/main.ts', folder + '/one/main.js')
     appendFileSync(folder + '/one/main.js', 'console.log("bundled")')
     writeFileSync(folder + '/current', process.argv[2] + '\\none\\n')
     appendFileSync('bundles', 'bundled\\n')
     console.log('one')\n`,
  )
}

async function writeLock(root: string, version: string): Promise<void> {
  const packages = { '': {}, 'node_modules/one': { version, integrity: 'sha512-x' } }
  await writeFile(join(root, 'package-lock.json'), JSON.stringify({ lockfileVersion: 3, packages }))
}

async function writeProgram(file: string, script: string): Promise<void> {
  await writeFile(file, `#!/bin/sh\n${script}\n`)
  await chmod(file, 0o755)
}

test('the command installs the packages once, and again only when the lockfile has changed', async (t) => {
  const clone = await makeClone(t)
  const first = await clone.run('bin/linnet', ['serve', 'two words'])
  assert.deepEqual([first.code, first.stdout], [0, '["serve","two words"]\n'])
  assert.match(first.stderr, /^Installing the libraries/)
  assert.deepEqual(await clone.run('bin/linnet'), { code: 0, stdout: '[]\n', stderr: '' })
  assert.equal(await clone.installs(), 1)
  await writeLock(clone.root, '1.0.1')
  assert.equal((await clone.run('bin/linnet')).code, 0)
  assert.equal(await clone.installs(), 2)
})

test('a user without a home folder can install the packages', async (t) => {
  const clone = await makeClone(
    t,
    `for option; do case $option in --cache=*) HOME=\${option#--cache=} ;; esac; done
     mkdir -p "$HOME/.npm" && mkdir -p node_modules && sed 's/"":/"own":/' package-lock.json >node_modules/.package-lock.json`,
  )
  const { code, stdout, stderr } = await clone.run('bin/linnet', [], { home: join(clone.root, 'package.json/none') })
  assert.deepEqual([code, stdout], [0, '[]\n'], stderr)
  await assert.rejects(readFile(join(clone.root, '.installing-cache/.npm')), { code: 'ENOENT' })
})

test('the command works from any folder, through symbolic links, and by its bare name in the PATH', async (t) => {
  const clone = await makeClone(t)
  const elsewhere = join(dirname(clone.root), 'elsewhere')
  await mkdir(elsewhere)
  await symlink('../a clone/bin/linnet', join(elsewhere, 'relative'))
  await symlink(join(elsewhere, 'relative'), join(elsewhere, 'absolute'))
  for (const [command, path] of [
    [join(clone.root, 'bin/linnet')],
    ['./relative'],
    ['./absolute'],
    ['linnet', join(clone.root, 'bin')],
    ['absolute', elsewhere],
  ] as const) {
    const outcome = await clone.run('/bin/sh', ['-c', `${command.replace(' ', '\\ ')} x`], { cwd: elsewhere, path })
    assert.deepEqual([outcome.code, outcome.stdout], [0, '["x"]\n'], `${command}: ${outcome.stderr}`)
  }
})

test('packages that npm itself has installed are not installed again', async (t) => {
  const clone = await makeClone(t)
  await mkdir(join(clone.root, 'node_modules'))
  await cp(join(clone.root, 'package-lock.json'), join(clone.root, 'node_modules/.package-lock.json'))
  assert.deepEqual(await clone.run('bin/linnet'), { code: 0, stdout: '[]\n', stderr: '' })
  assert.equal(await clone.installs(), 0)
})

test('two commands at once install once', async (t) => {
  // The first installation ends after the second command has printed that it waits.
  const done = `mkdir -p node_modules && cp package-lock.json node_modules/.package-lock.json`
  const clone = await makeClone(t, `until [ -e waiting ]; do sleep 0.02; done; ${done}`)
  const first = clone.run('/bin/sh', ['-c', 'bin/linnet a 2>&1 >/dev/null | tee first'])
  const second = clone.run('/bin/sh', ['-c', 'bin/linnet b 2>&1 >/dev/null | tee second'])
  const printed = async () =>
    (
      await Promise.all(['first', 'second'].map((name) => readFile(join(clone.root, name), 'utf8').catch(() => '')))
    ).join('')
  while (!(await printed()).includes('waiting for it')) await new Promise((resolve) => setImmediate(resolve))
  await writeFile(join(clone.root, 'waiting'), '')
  assert.deepEqual([(await first).code, (await second).code], [0, 0])
  assert.equal(await clone.installs(), 1)
})

test('the lock of a killed installation, also with the same process id, does not block the next one', async (t) => {
  const clone = await makeClone(t)
  const { stdout } = await clone.run('/bin/sh', ['-c', 'echo $$'])
  await symlink(stdout.trim(), join(clone.root, '.installing'))
  assert.equal((await clone.run('bin/linnet')).code, 0)
  assert.equal(await clone.installs(), 1)
  const container = await makeClone(t)
  await container.run('sh', ['-c', 'ln -s $$ .installing && exec node bin/install.mjs stamp'])
  assert.equal(await container.installs(), 1)
})

test('a failed installation prints its reason in one line, and the program is not started', async (t) => {
  const clone = await makeClone(
    t,
    'printf "npm error code ENOTFOUND\\nnpm error network is down\\nnpm error A complete log of this run: x\\n" >&2; exit 7',
  )
  const { code, stdout, stderr } = await clone.run('bin/linnet', ['serve'])
  assert.deepEqual([code, stdout], [1, ''])
  assert.match(stderr, /\nThe libraries could not be installed: code ENOTFOUND network is down\. .*\n$/)
})

test('an impossible data folder is rejected before anything is installed', async (t) => {
  const clone = await makeClone(t)
  const file = join(clone.root, 'package.json')
  const { code, stdout, stderr } = await clone.run('/bin/sh', ['-c', `DATA_DIR="${file}/data" exec bin/linnet serve`])
  assert.deepEqual([code, stdout, stderr], [1, '', `The data folder ${file}/data can't be used: ${file} is a file.\n`])
  assert.equal(await clone.installs(), 0)
})

test('a runtime that cannot run TypeScript is named in the error', async (t) => {
  const clone = await makeClone(t)
  assert.equal((await clone.run('bin/linnet')).code, 0)
  const old = join(clone.root, 'old')
  await mkdir(old)
  await writeProgram(join(old, 'node'), '[ "$1" = -v ] && echo v20.20.2 || echo undefined')
  const { code, stdout, stderr } = await clone.run('bin/linnet', [], { path: old })
  assert.deepEqual([code, stdout], [1, ''])
  assert.match(stderr, /^Linnet needs Node 24 or newer, .*old\/node is v20\.20\.2\n$/)
})

test('the server builds the web client once, and again only after a change; other commands and roles do not', async (t) => {
  const clone = await makeClone(t)
  const builds = async () =>
    (await readFile(join(clone.root, 'web/dist/.built'), 'utf8').catch(() => '')).split('\n').filter(Boolean).length
  for (const line of ['accounts', 'serve --help', 'serve --only worker', 'serve --only=streaming']) {
    await clone.run('bin/linnet', line.split(' '))
    assert.equal(await builds(), 0, line)
  }
  for (const line of ['serve --only web', 'serve']) await clone.run('bin/linnet', line.split(' '))
  assert.equal(await builds(), 1)
  const later = new Date(Date.now() + 10_000)
  await utimes(join(clone.root, 'web/src/main.tsx'), later, later)
  await clone.run('bin/linnet', ['serve'])
  assert.equal(await builds(), 2)
})

test('the server runs from a bundle, which is built again after each change of a source, even to an older one', async (t) => {
  const clone = await makeClone(t)
  await addBundler(clone.root)
  const main = join(clone.root, 'src/main.ts')
  const bundles = async () => (await readFile(join(clone.root, 'bundles'), 'utf8')).split('\n').filter(Boolean).length
  await writeFile(main, 'console.log(1)\n')
  assert.equal((await clone.run('bin/linnet', ['accounts'])).stdout, '1\n')
  assert.equal((await clone.run('bin/linnet', ['serve'])).stdout, '1\nbundled\n')
  assert.equal((await clone.run('bin/linnet', ['serve'])).stdout, '1\nbundled\n')
  assert.equal(await bundles(), 1)
  await writeFile(main, 'console.log(22)\n')
  const earlier = new Date(Date.now() - 86_400_000)
  await utimes(main, earlier, earlier)
  assert.equal((await clone.run('bin/linnet', ['serve'])).stdout, '22\nbundled\n')
  assert.equal(await bundles(), 2)
})

test('the server runs from its sources if they cannot be bundled', async (t) => {
  const clone = await makeClone(t)
  await writeFile(join(clone.root, 'bin/build-server.ts'), 'console.error("no space"); process.exitCode = 1\n')
  const { code, stdout, stderr } = await clone.run('bin/linnet', ['serve'])
  assert.deepEqual([code, stdout], [0, '["serve"]\n'])
  assert.match(stderr, /no space\n$/)
})

test('the exit code of the program is the exit code of the command', async (t) => {
  const clone = await makeClone(t)
  await writeFile(join(clone.root, 'src/main.ts'), 'process.exitCode = 3\n')
  assert.equal((await clone.run('bin/linnet')).code, 3)
})

test('bin/test runs all files, all but the slow ones, or selected ones, and exits with the result', async (t) => {
  const clone = await makeClone(t)
  await writeFile(join(clone.root, 'test/runner/setup.ts'), 'export async function globalSetup() {}\n')
  for (const name of ['shared-process', 'shared-process-end', 'temporary-folder', 'track-tests'])
    await cp(join(ROOT, `test/runner/${name}.ts`), join(clone.root, `test/runner/${name}.ts`))
  const pass = `import { test } from 'node:test'\ntest('passes', () => {})\n`
  await writeFile(join(clone.root, 'src/good.test.ts'), pass)
  await writeFile(join(clone.root, 'test/bad.test.ts'), `${pass}test('fails', () => { throw new Error('no') })\n`)
  await writeFile(join(clone.root, 'src/alone.test.ts'), `// In a process of its own: to see.\n${pass}`)
  const titled = `${pass}test('a Wren sings', () => {})\ntest(\`a wren \${'nests'}\`, () => {})\n`
  await writeFile(join(clone.root, 'src/birds.test.ts'), titled)
  await writeFile(join(clone.root, 'test/slow.test.ts'), `// Slow: to see.\n${pass}`)
  const [all, quick, part, folder, byTitle, union, unknown] = await Promise.all([
    clone.run('bin/test'),
    clone.run('bin/test', ['--quick']),
    clone.run('bin/test', ['good']),
    clone.run('bin/test', ['src', '--test-name-pattern=nothing']),
    clone.run('bin/test', ['wren']),
    clone.run('bin/test', ['GOOD', 'wren sings']),
    clone.run('bin/test', ['good', 'wern']),
  ])
  // In shared processes, each file counts as a test as well.
  assert.equal(all.code, 1)
  assert.match(all.stdout, /ℹ tests 12\n[^]*ℹ pass 10\n[^]*ℹ fail 2\n/)
  assert.match(
    quick.stdout,
    /^--quick: 1 of 5 test files are marked as slow and left out\n[^]*ℹ tests 10\n[^]*ℹ pass 8\n/,
  )
  assert.equal(part.code, 0)
  assert.match(part.stdout, /ℹ tests 1\n/)
  assert.equal(folder.code, 0)
  assert.deepEqual([byTitle.code, countTests(byTitle)], [0, 2])
  assert.deepEqual([union.code, countTests(union)], [0, 2])
  assert.deepEqual([unknown.code, unknown.stdout], [1, ''])
  assert.match(
    unknown.stderr,
    /^No test has "wern" in its path or its title\. The nearest:\n {2}src\/birds\.test\.ts: a Wren sings\n {2}src\/birds\.test\.ts: a wren .*\n$/m,
  )
})

/** Returns the number of tests that ran, in one run or several. */
function countTests({ stdout }: Outcome): number {
  return [...stdout.matchAll(/^ℹ tests (\d+)$/gm)].reduce((sum, [, count]) => sum + Number(count), 0)
}
