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
import { openCasServer } from '../../../../test/services/login/cas-server.ts'
import { noSlapd, openLdapServer } from '../../../../test/services/login/ldap-server.ts'
import { openOidcServer } from '../../../../test/services/login/oidc-server.ts'
import { createCa } from '../../../../test/services/certificates.ts'
import { noSmallDisk, withSmallDisk } from '../../../../test/services/small-disk.ts'
import { readConfig } from '../../../platform/config/config.ts'
import { checkMail } from './checks/mail.ts'
import { checkSingleSignOn } from './checks/single-sign-on.ts'

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

test('doctor checks whether OpenID Connect and CAS respond, and names the settings', async (t) => {
  const [oidc, cas] = await Promise.all([openOidcServer(), openCasServer()])
  t.after(() => Promise.all([oidc.close(), cas.close()]))
  const check = async (env: Record<string, string>) => checkSingleSignOn(readConfig({ LOCAL_DOMAIN: 'a.test', ...env }))
  const textOf = async (env: Record<string, string>) => {
    const [finding] = await check(env)
    assert.equal(finding!.kind, 'error')
    return `${finding!.text}; ${finding!.remedy}`
  }
  assert.deepEqual(await check({}), [])
  assert.deepEqual(
    (await check({ ...oidc.env, ...cas.env })).map(({ kind }) => kind),
    ['ok', 'ok'],
  )
  const sameServer = oidc.issuer.replace('localhost', '127.0.0.1')
  assert.match(await textOf({ ...oidc.env, OIDC_ISSUER: sameServer }), /issuer.*; OIDC_ISSUER must equal the issuer/)
  const port = { OIDC_ISSUER: 'http://127.0.0.1:1', CAS_URL: 'http://127.0.0.1:1' }
  assert.match(await textOf({ ...oidc.env, ...port }), /ECONNREFUSED/)
  assert.match(await textOf({ ...cas.env, ...port }), /ECONNREFUSED.*; check CAS_URL/)
})

test('doctor searches the directory of LDAP, and names the settings', { skip: noSlapd }, async (t) => {
  const ldap = await openLdapServer()
  t.after(() => ldap.close())
  const check = async (env: Record<string, string>, extraCa?: string) => {
    const [finding] = await checkSingleSignOn(readConfig({ LOCAL_DOMAIN: 'a.test', ...env }), { extraCa })
    return `${finding!.kind}: ${finding!.remedy ?? ''}`
  }
  const plain = ldap.env('plain')
  const tls = ldap.env('simple_tls')
  assert.equal(await check(plain), 'ok: ')
  // A filter that finds users whatever they entered must not cause attempts to log in.
  await ldap.addUser({ uid: 'wren', password: 'a nest in the hedge' })
  assert.equal(await check({ ...plain, LDAP_SEARCH_FILTER: '(|(cn=%<email>s)(cn=wren))' }), 'ok: ')
  assert.equal(await check(tls, ldap.ca), 'ok: ')
  assert.match(await check(tls), /^error: its certificate must be valid for LDAP_HOST; NODE_EXTRA_CA_CERTS/)
  assert.equal(await check({ ...plain, LDAP_PASSWORD: 'wrong' }), 'error: check LDAP_BIND_DN and LDAP_PASSWORD')
  assert.equal(await check({ ...plain, LDAP_BASE: 'dc=missing,dc=test' }), 'error: check LDAP_BASE')
  assert.match(await check({ ...plain, LDAP_METHOD: 'simple_tls' }, ldap.ca), /^error: LDAP_METHOD=simple_tls .*636/)
})
