// Slow: starts programs or databases.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import sharp from 'sharp'
import { avifOf, gifOf, jpegOf, pngOf, pngWithLargeChunk, webpOf } from '../../../../test/media/decompression-bombs.ts'
import { runLinnet, urlOf } from '../../../../test/servers/linnet-process.ts'
import { cloneDatabase } from '../../../../test/services/database/test-database.ts'
import { runCommand } from '../../../../test/run-command.ts'
import { TAR_END, writeTarFile } from '../../../lib/tar.ts'

const MB = 1_048_576

const database = await cloneDatabase()
const folder = await mkdtemp(join(tmpdir(), 'linnet-emoji-'))
after(async () => {
  await database.drop()
  await rm(folder, { recursive: true, force: true })
})

const env = { DATA_DIR: join(folder, 'data'), DATABASE_URL: urlOf(database.connection) }

// At its end, a process prints its peak memory. Its `maxRSS` would include the memory of the process that started it.
const printPeak = [
  `import { readFileSync } from 'node:fs'`,
  `process.on('exit', () => console.error('peak', /VmHWM:\\s+(\\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))[1]))`,
].join('\n')
const measured = {
  ...env,
  NODE_OPTIONS: `--import="data:text/javascript,${encodeURIComponent(printPeak).replaceAll("'", '%27')}"`,
}

async function emoji(...args: string[]) {
  const { code, stdout, stderr } = await runCommand(['emoji', ...args], env)
  return { code, stdout, lines: stderr.split('\n').filter(Boolean).toSorted() }
}

/** Runs the command in a separate process and returns its peak memory. */
async function measureEmoji(...args: string[]) {
  const { code, stdout, stderr } = await runLinnet(['emoji', ...args], measured)
  const [, peak] = /^peak (\d+)$/m.exec(stderr) ?? []
  const lines = stderr.split('\n').filter((line) => line !== '' && !line.startsWith('peak '))
  return { code, stdout, lines: lines.toSorted(), bytes: Number(peak) * 1_024 }
}

const png = await sharp({ create: { width: 24, height: 24, channels: 4, background: 'teal' } })
  .png()
  .toBuffer()
const modifiedAt = new Date()
const entry = (name: string, bytes: Buffer = png) => writeTarFile({ name, bytes, modifiedAt })

async function pack(name: string, parts: readonly Buffer[]): Promise<string> {
  const path = join(folder, name)
  await writeFile(path, Buffer.concat(parts))
  return path
}

async function storedFiles(): Promise<number> {
  const entries = await readdir(join(folder, 'data', 'media', 'emojis'), { recursive: true, withFileTypes: true })
  return entries.filter((one) => one.isFile()).length
}

test('ME1 ME2: decompression bombs and invalid images are not imported, but a valid one next to them is', async () => {
  const path = await pack('pictures.tar', [
    entry('good.png'),
    entry('wide.png', pngOf(50_000, 50_000)),
    entry('many.gif', gifOf({ frames: 10_000, width: 100, height: 100 })),
    entry('frames.webp', await webpOf({ frames: 200, side: 4_000 })),
    entry('jpeg.png', await jpegOf(65_000, 65_000)),
    entry('avif.webp', await avifOf(50_000, 50_000)),
    entry('vector.png', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>')),
    entry('page.gif', Buffer.from('<html><script>alert(1)</script>')),
    entry('empty.png', Buffer.alloc(0)),
    entry('stuffed.png', pngWithLargeChunk('iCCP', 200)),
    TAR_END,
  ])
  const { code, stdout, lines } = await emoji('import', path)
  assert.deepEqual([code, stdout], [1, 'Added 2, replaced 0, skipped 0 existing\n'])
  assert.deepEqual(
    lines.map((line) => line.split(':')[0]),
    ['"avif"', '"empty"', '"frames"', '"jpeg"', '"many"', '"page"', '"vector"', '"wide"', '8 images were rejected'],
  )
  assert.equal((await emoji('list')).stdout, ':good:\t-\tlisted\n:stuffed:\t-\tlisted\n')
  assert.equal(await storedFiles(), 2)
})

test('BI13: a gigabyte and thousands of names in a small archive are skipped without using memory', async () => {
  const calm = await measureEmoji(
    'import',
    await pack('calm.tar.gz', [gzipSync(Buffer.concat([entry('calm.png'), TAR_END]))]),
  )
  assert.equal(calm.code, 0)
  const header = Buffer.from(entry('huge.png', Buffer.alloc(1)).subarray(0, 512))
  header.write((1_024 * MB).toString(8).padStart(11, '0'), 124)
  header.write('        ', 148)
  header.write(
    `${header
      .reduce((sum, byte) => sum + byte, 0)
      .toString(8)
      .padStart(6, '0')}\0 `,
    148,
  )
  const zeros = gzipSync(Buffer.alloc(128 * MB))
  const names = Array.from({ length: 20_000 }, (_none, n) => entry(`folder${n}/.hidden${n}.png`, Buffer.alloc(0)))
  const path = await pack('bomb.tar.gz', [
    gzipSync(header),
    ...Array<Buffer>(8).fill(zeros),
    gzipSync(Buffer.concat([...names, entry('behind.png'), TAR_END])),
  ])
  const { code, stdout, lines, bytes } = await measureEmoji('import', path)
  assert.deepEqual([code, lines], [1, ['"huge": has 256 KB or more', '1 image was rejected']])
  assert.match(stdout, /^Added 1, /)
  assert.ok(bytes > 0 && bytes - calm.bytes < 100 * MB, `${bytes / MB} MB, ${calm.bytes / MB} MB for a small one`)
})

test('BI13: links and devices in an archive or folder are ignored, and links are not followed', async () => {
  const source = join(folder, 'links')
  await mkdir(join(source, 'inner'), { recursive: true })
  const secret = join(folder, 'secret.png')
  await writeFile(secret, png)
  await symlink(secret, join(source, 'linked.png'))
  await symlink(folder, join(source, 'up'))
  await writeFile(join(source, 'inner', 'kept.png'), png)
  execFileSync('mkfifo', [join(source, 'pipe.png')])
  const archive = join(folder, 'links.tar')
  execFileSync('tar', ['-C', source, '-cf', archive, '.'])
  for (const [path, outcome] of [
    [source, 'Added 1, replaced 0, skipped 0'],
    [archive, 'Added 0, replaced 0, skipped 1'],
  ] as const) {
    const { code, stdout, lines } = await emoji('import', path)
    assert.deepEqual([code, lines], [0, []])
    assert.ok(stdout.startsWith(outcome), stdout)
  }
  assert.match((await emoji('list')).stdout, /^:kept:\tinner\tlisted$/m)
})

test('BI14: any name in an archive is printed as one line without control characters', async () => {
  const evil = '\u001b[2J\u0007\u009b31m'
  const path = await pack('names.tar', [
    entry(`${evil}/named.png`),
    entry('two\nlines\tand tabs/lined.png'),
    entry(`x${evil}\n.png`),
    entry('ünïcode.png'),
    entry(`${'long'.repeat(60)}/deep.png`),
    entry('named.png'),
    TAR_END,
  ])
  const { code, stdout, lines } = await emoji('import', path)
  assert.equal(code, 1)
  assert.equal(stdout, 'Added 2, replaced 0, skipped 1 existing\n')
  assert.deepEqual(lines, [
    '"deep": Validation failed: Category is too long (maximum is 100 characters)',
    '"x[2J31m ": Validation failed: Shortcode must have 2 to 128 letters a–z, digits and underscores',
    '"ünïcode": Validation failed: Shortcode must have 2 to 128 letters a–z, digits and underscores',
    '3 images were rejected',
  ])
  const { stdout: list } = await emoji('list')
  assert.match(list, /^:lined:\ttwo lines and tabs\tlisted$/m)
  assert.match(list, /^:named:\t\[2J31m\tlisted$/m)
  const exported = join(folder, 'exported.tar.gz')
  assert.equal((await emoji('export', exported)).code, 0)
  const again = await emoji('import', exported)
  assert.deepEqual([again.code, again.lines], [0, []])
})
