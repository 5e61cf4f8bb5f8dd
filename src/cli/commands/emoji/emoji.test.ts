import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import sharp from 'sharp'
import { urlOf } from '../../../../test/servers/linnet-process.ts'
import { cloneDatabase } from '../../../../test/services/database/test-database.ts'
import { runCommand } from '../../../../test/run-command.ts'
import { TAR_END, writeTarFile } from '../../../lib/tar.ts'

const database = await cloneDatabase()
const png = await sharp({ create: { width: 24, height: 24, channels: 4, background: 'teal' } })
  .png()
  .toBuffer()
const webp = await sharp(png).webp().toBuffer()
let folder: string
let env: Record<string, string>

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'linnet-emoji-'))
  env = { DATA_DIR: join(folder, 'data'), DATABASE_URL: urlOf(database.connection) }
})
after(async () => {
  await database.drop()
  await rm(folder, { recursive: true, force: true })
})

const emoji = (...args: string[]) => runCommand(['emoji', ...args], env)

async function writeFiles(name: string, files: Record<string, Buffer>): Promise<string> {
  for (const [path, bytes] of Object.entries(files)) {
    await mkdir(join(folder, name, path, '..'), { recursive: true })
    await writeFile(join(folder, name, path), bytes)
  }
  return join(folder, name)
}

test('a folder of images is imported with folders as categories; invalid files are only reported', async () => {
  const pictures = await writeFiles('pictures', {
    'cat.png': png,
    'Sea/fish.webp': webp,
    'Sea/._fish.png': png,
    'readme.txt': Buffer.from('hello'),
    'no-code.png': png,
    'large.png': Buffer.alloc(256 * 1_024, 1),
    'broken.gif': Buffer.from('GIF89a'),
  })
  const { code, stdout, stderr } = await emoji('import', pictures)
  assert.deepEqual([code, stdout], [1, 'Added 2, replaced 0, skipped 0 existing\n'])
  assert.deepEqual(stderr.split('\n').toSorted(), [
    '',
    '"broken": Validation failed: File is damaged or incomplete',
    '"large": has 256 KB or more',
    '"no-code": Validation failed: Shortcode must have 2 to 128 letters a–z, digits and underscores',
    '3 images were rejected',
  ])
  assert.equal((await emoji('list')).stdout, ':cat:\t-\tlisted\n:fish:\tSea\tlisted\n')
})

test('an export can be imported again, with other names, unlisted, or replacing existing emojis', async () => {
  const file = join(folder, 'export.tar.gz')
  assert.equal((await emoji('export', file)).stdout, '2 emojis\n')
  assert.deepEqual(execFileSync('tar', ['-tzf', file]).toString().trim().split('\n'), ['cat.png', 'Sea/fish.webp'])
  const again = await emoji('export', file)
  assert.deepEqual([again.code, again.stderr], [1, `The file ${file} already exists\n`])
  assert.match((await emoji('import', file)).stdout, /^Added 0, replaced 0, skipped 2 /)
  assert.match((await emoji('import', file, '--overwrite')).stdout, /^Added 0, replaced 2, skipped 0 /)
  const named = await emoji('import', file, '--prefix', 'my_', '--suffix', '2', '--category', 'Mine', '--unlisted')
  assert.deepEqual([named.code, named.stderr], [0, ''])
  assert.equal(
    (await emoji('list', '--category', 'Mine')).stdout,
    ':my_cat2:\tMine\tunlisted\n:my_fish2:\tMine\tunlisted\n',
  )
  assert.deepEqual([(await emoji('remove', ':my_cat2:', 'my_fish2')).stdout], ['OK\n'])
  const failed = await emoji('remove', 'cat', 'my_cat2')
  assert.deepEqual([failed.code, failed.stderr], [1, 'There is no emoji :my_cat2:\n'])
  assert.equal((await emoji('list')).stdout, ':cat:\t-\tlisted\n:fish:\tSea\tlisted\n')
})

test('BI13: paths in an archive are not followed, and an invalid archive is reported in one line', async () => {
  const modifiedAt = new Date()
  const hostile = Buffer.concat([
    ...['../up.png', '/tmp/linnet_absolute.png', 'a/../../sly.png', '..png'].map((name) =>
      writeTarFile({ name, bytes: png, modifiedAt }),
    ),
    writeTarFile({ name: 'huge.png', bytes: Buffer.alloc(2_000_000), modifiedAt }),
    TAR_END,
  ])
  const before = await readdir(folder)
  const archive = join(folder, 'hostile.tar.gz')
  await writeFile(archive, gzipSync(hostile))
  const { stdout, stderr } = await emoji('import', archive)
  assert.match(stdout, /^Added 3, /)
  assert.equal(stderr, '"huge": has 256 KB or more\n1 image was rejected\n')
  assert.deepEqual((await readdir(folder)).toSorted(), [...before, 'hostile.tar.gz'].toSorted())
  assert.match((await emoji('list')).stdout, /^:linnet_absolute:\ttmp\t/m)

  await writeFile(join(folder, 'half.tar.gz'), gzipSync(hostile).subarray(0, 200))
  await writeFile(join(folder, 'none.tar.gz'), 'hello')
  const empty = await writeFiles('empty', { 'a.txt': Buffer.from('x') })
  for (const [path, line] of [
    [join(folder, 'half.tar.gz'), / is not a folder or a complete tar\.gz archive\n$/],
    [join(folder, 'none.tar.gz'), / is not a folder or a complete tar\.gz archive\n$/],
    [empty, /^There are no images in /],
    [join(folder, 'absent'), / does not exist\n$/],
  ] as const) {
    const outcome = await emoji('import', path)
    assert.deepEqual([outcome.code, outcome.stdout], [1, ''], path)
    assert.match(outcome.stderr, line)
  }
})
