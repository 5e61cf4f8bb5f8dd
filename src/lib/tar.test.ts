import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, test } from 'node:test'
import fc from 'fast-check'
import { TarError, readTar, TAR_END, writeTarFile } from './tar.ts'

const folder = mkdtempSync(join(tmpdir(), 'linnet-tar-'))
after(() => rmSync(folder, { recursive: true }))

async function* inPieces(archive: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < archive.length; at += size) yield archive.subarray(at, at + size)
}

async function filesOf(
  archive: Buffer,
  { maxBytes = 1_000_000, piece = 700 } = {},
): Promise<[string, number, string | null][]> {
  const files: [string, number, string | null][] = []
  for await (const { name, size, bytes } of readTar(inPieces(archive, piece), { maxBytes })) {
    files.push([name, size, bytes && bytes.toString('latin1')])
  }
  return files
}

const byText = (a: string, b: string) => (a < b ? -1 : 1)

const LONG = `${'long'.repeat(20)}/${'name'.repeat(40)}.txt`

// The format is called gnu by GNU tar and gnutar by the tar of BSD and macOS.
const gnu = /GNU/.test(execFileSync('tar', ['--version']).toString()) ? 'gnu' : 'gnutar'

for (const form of ['ustar', 'pax', gnu, 'v7']) {
  test(`an archive that tar has written as ${form} is read without links and folders`, async () => {
    const names = ['a.txt', 'folder/ü b.txt', ...(form === 'v7' || form === 'ustar' ? [] : [LONG])]
    const source = join(folder, form)
    for (const name of names) {
      mkdirSync(dirname(join(source, name)), { recursive: true })
      writeFileSync(join(source, name), `in ${name}`)
    }
    writeFileSync(join(source, 'empty'), '')
    symlinkSync('/etc/passwd', join(source, 'link'))
    const archive = join(folder, `${form}.tar`)
    execFileSync('tar', ['--format', form, '-C', source, '-cf', archive, '.'])
    const found = new Map((await filesOf(readFileSync(archive))).map(([name, ...rest]) => [name, rest]))
    const texts = new Map([...names.map((name) => [`./${name}`, `in ${name}`] as const), ['./empty', ''] as const])
    assert.deepEqual([...found.keys()].toSorted(byText), [...texts.keys()].toSorted(byText))
    for (const [name, text] of texts) {
      const bytes = Buffer.from(text)
      assert.deepEqual(found.get(name), [bytes.length, bytes.toString('latin1')], name)
    }
  })
}

test('a written archive can be read by readTar and by tar, in chunks of any size', async () => {
  const modifiedAt = new Date('2026-01-02T03:04:05Z')
  const word = fc.stringMatching(/^[a-z]{1,8}$/)
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(word, fc.uint8Array({ maxLength: 1_500 })), { maxLength: 5 }),
      fc.integer({ min: 1, max: 3_000 }),
      async (files, piece) => {
        const parts = files.map(([name, bytes]) => writeTarFile({ name, bytes: Buffer.from(bytes), modifiedAt }))
        const read = await filesOf(Buffer.concat([...parts, TAR_END]), { piece })
        assert.deepEqual(
          read,
          files.map(([name, bytes]) => [name, bytes.length, Buffer.from(bytes).toString('latin1')]),
        )
      },
    ),
    { numRuns: 50 },
  )
  const archive = join(folder, 'ours.tar')
  const long = `${'x'.repeat(200)}.txt`
  writeFileSync(
    archive,
    Buffer.concat([
      writeTarFile({ name: 'in/it.txt', bytes: Buffer.from('hello'), modifiedAt }),
      writeTarFile({ name: long, bytes: Buffer.from('!'), modifiedAt }),
      TAR_END,
    ]),
  )
  assert.equal(execFileSync('tar', ['-tf', archive]).toString(), `in/it.txt\n${long}\n`)
  assert.equal(execFileSync('tar', ['-xOf', archive]).toString(), 'hello!')
})

test('a file above the limit is skipped, and the following ones are read', async () => {
  const modifiedAt = new Date(0)
  const parts = [5_000, 3].map((size, n) => writeTarFile({ name: `f${n}`, bytes: Buffer.alloc(size, 'x'), modifiedAt }))
  assert.deepEqual(await filesOf(Buffer.concat([...parts, TAR_END]), { maxBytes: 10 }), [
    ['f0', 5_000, null],
    ['f1', 3, 'xxx'],
  ])
})

test('BI13: an invalid or incomplete archive is rejected', async () => {
  const whole = writeTarFile({ name: 'f', bytes: Buffer.alloc(900, 'x'), modifiedAt: new Date(0) })
  for (const archive of [
    Buffer.from('hello'),
    Buffer.alloc(512, 'x'),
    whole.subarray(0, 700),
    whole.subarray(0, 1_450),
  ]) {
    await assert.rejects(filesOf(archive), TarError)
  }
  assert.deepEqual(await filesOf(Buffer.alloc(0)), [])
  assert.equal((await filesOf(whole)).length, 1)
})

test('BI13: an archive with changed bytes is read or rejected, and reading it terminates', async () => {
  const part = (name: string, bytes: Buffer) => writeTarFile({ name, bytes, modifiedAt: new Date(0) })
  const archive = Buffer.concat([part('a'.repeat(150), Buffer.alloc(700, 'x')), part('b', Buffer.from('b')), TAR_END])
  const change = fc.tuple(fc.nat({ max: archive.length - 1 }), fc.nat({ max: 255 }))
  await fc.assert(
    fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 4 }), async (changes) => {
      const changed = Buffer.from(archive)
      for (const [at, byte] of changes) changed[at] = byte
      for (let at = 0; at < changed.length; at += 512) writeChecksum(changed.subarray(at, at + 512))
      const files = await filesOf(changed).catch((err: unknown) => {
        assert.ok(err instanceof TarError)
        return []
      })
      assert.ok(files.every(([, size, text]) => text === null || text.length === size))
    }),
    // The first byte of a size determines its encoding.
    { numRuns: 500, examples: [0x80, 0xc0, 0xff].map((byte) => [[[124, byte]]]) },
  )
})

test('bytes after the end of an archive are ignored', async () => {
  const file = writeTarFile({ name: 'f', bytes: Buffer.from('x'), modifiedAt: new Date(0) })
  assert.deepEqual(await filesOf(Buffer.concat([file, TAR_END, Buffer.alloc(700, 'y')])), [['f', 1, 'x']])
})

/** Corrects the checksum if the block is a header. In the last block of a file, it changes bytes of the file. */
function writeChecksum(block: Buffer): void {
  if (block.every((byte) => byte === 0)) return
  block.write('        ', 148)
  const sum = block.reduce((total, byte) => total + byte, 0)
  block.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
}
