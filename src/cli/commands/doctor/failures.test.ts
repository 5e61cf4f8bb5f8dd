// Slow: starts programs.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { test } from 'node:test'
import { SMTPServer } from 'smtp-server'
import { startLinnet } from '../../../../test/servers/linnet-process.ts'
import { createCa } from '../../../../test/services/certificates.ts'
import { noSmallDisk, withSmallDisk } from '../../../../test/services/small-disk.ts'
import { readConfig } from '../../../platform/config/config.ts'
import { checkMail } from './checks/mail.ts'

test('doctor says what to do about a read-only file system', { skip: noSmallDisk }, async (t) => {
  const dataDir = await mkdtemp(join(tmpdir(), 'linnet-doctor-'))
  t.after(() => rm(dataDir, { recursive: true }))
  const media = join(dataDir, 'media')
  const within = [...withSmallDisk(media, 256), 'sh', '-c', 'mount -o remount,ro "$0" && exec "$@"', media]
  const env = { DATA_DIR: dataDir, DATABASE_URL: 'postgresql://127.0.0.1:1/birds' }
  const { stdout } = await startLinnet(['doctor'], env, { within }).ended
  assert.match(stdout, /✘ the data folder is not writable: EROFS: .*\n +mount the file system for writing; /)
})

test('doctor names the settings of a mail server without TLS from the start, or with an unknown certificate', async (t) => {
  const mail = new SMTPServer({ authOptional: true, ...createCa().issue(['localhost']) })
  mail.on('error', () => {})
  mail.listen(0, '127.0.0.1')
  await once(mail.server, 'listening')
  t.after(() => mail.server.close())
  const { port } = mail.server.address() as AddressInfo
  const remedyWith = async (env: Record<string, string>) => {
    const [finding] = await checkMail(readConfig({ SMTP_SERVER: 'localhost', SMTP_PORT: String(port), ...env }))
    assert.equal(finding!.kind, 'error')
    return finding!.remedy
  }
  assert.match((await remedyWith({ SMTP_TLS: 'true' }))!, /^the port has no TLS from the start: remove SMTP_TLS /)
  const certificate = /^its certificate must be valid for SMTP_SERVER; NODE_EXTRA_CA_CERTS .*authority/
  assert.match((await remedyWith({}))!, certificate)
  assert.match((await remedyWith({}))!, /SMTP_ENABLE_STARTTLS=never/)
  const strict = await remedyWith({ SMTP_ENABLE_STARTTLS: 'always' })
  assert.match(strict!, certificate)
  assert.doesNotMatch(strict!, /never/)
})
