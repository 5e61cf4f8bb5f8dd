import assert from 'node:assert/strict'
import { mkdir, rm, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { after, test } from 'node:test'
import sharp from 'sharp'
import { multipart } from '../../../../../test/http/client.ts'
import { openTestServer } from '../../../../../test/servers/test-server.ts'

const lines: { level: number; msg: string }[] = []
const testServer = await openTestServer({ onLogLine: (line) => void lines.push(JSON.parse(line)) })
after(testServer.close)

const image = await sharp({ create: { width: 16, height: 16, channels: 3, background: '#a92449' } })
  .png()
  .toBuffer()

test(
  'uploads fail with 503 while the disk is read-only, leave no row, and work again afterwards',
  { skip: process.platform === 'linux' ? false : 'no folder in which root can create no files' },
  async () => {
    const { client } = await testServer.createUser()
    const upload = async () => {
      const form = await multipart({ file: { filename: 'a.png', type: 'image/png', bytes: image } })
      return client.post('/api/v2/media', form.payload, form.headers)
    }
    const failed = []
    for (const folder of ['media', 'uploads']) {
      const path = join(testServer.ctx.config.dataDir, folder)
      await rm(path, { recursive: true, force: true })
      // In this file system of the kernel, nobody can create files, not even root.
      await symlink('/sys/kernel', path)
      failed.push(await upload(), await upload())
      await rm(path)
      await mkdir(path)
    }
    assert.deepEqual(
      failed.map(({ status }) => status),
      [503, 503, 503, 503],
    )
    assert.deepEqual(await testServer.ctx.db.selectFrom('media_attachments').select('id').execute(), [])
    const warnings = lines.filter(({ level }) => level >= 40).map(({ msg }) => msg)
    assert.deepEqual([...new Set(warnings)], ['The storage failed during a request'])
    assert.ok(warnings.length < failed.length, 'one line reports several requests')
    assert.equal((await upload()).status, 200)
  },
)
