import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { Attribute, Change, Client } from 'ldapts'
import { findPort } from '../../servers/linnet-process.ts'
import { createCa } from '../certificates.ts'

const env = { ...process.env, PATH: `${process.env['PATH']}:/usr/sbin` }

/** The reason to skip tests with LDAP; false if Debian's slapd is installed. */
export const noSlapd = spawnSync('slapd', ['-VV'], { env }).error ? 'slapd is not installed' : false

const SUFFIX = 'dc=example,dc=test'
const ADMIN = { dn: `cn=admin,${SUFFIX}`, password: 'directory secret' }

export interface LdapServer {
  /** The settings of a server that uses this directory with TLS, at the port that the method needs. */
  env(method: 'simple_tls' | 'start_tls' | 'plain'): Record<string, string>
  /** The certificate authority of the directory (PEM). */
  ca: string
  addUser(user: { uid: string; password: string; mail?: string }): Promise<void>
  /** Replaces the groups of a user, which are in the attribute `employeeType`. */
  setGroups(user: { uid: string; groups: readonly string[] }): Promise<void>
  close(): Promise<void>
}

/** Starts slapd in a temporary folder, with an empty directory. */
export async function openLdapServer(): Promise<LdapServer> {
  const folder = mkdtempSync(join(tmpdir(), 'linnet-slapd-'))
  const file = (name: string, content: string) => {
    writeFileSync(join(folder, name), content, { mode: 0o600 })
    return join(folder, name)
  }
  const ca = createCa()
  const { cert, key } = ca.issue(['localhost', '127.0.0.1'])
  mkdirSync(join(folder, 'data'))
  const schemas = ['core', 'cosine', 'inetorgperson'].map((name) => `include /etc/ldap/schema/${name}.schema`)
  const config = file(
    'slapd.conf',
    [
      ...schemas,
      'modulepath /usr/lib/ldap',
      'moduleload back_mdb',
      `TLSCertificateFile ${file('cert.pem', cert)}`,
      `TLSCertificateKeyFile ${file('key.pem', key)}`,
      `TLSCACertificateFile ${file('ca.pem', ca.pem)}`,
      'allow bind_anon_cred',
      'database mdb',
      `suffix "${SUFFIX}"`,
      `rootdn "${ADMIN.dn}"`,
      `rootpw "${ADMIN.password}"`,
      `directory ${join(folder, 'data')}`,
      'maxsize 10485760',
    ].join('\n'),
  )
  const [port, tlsPort] = [await findPort(), await findPort()]
  const urls = `ldap://127.0.0.1:${port}/ ldaps://127.0.0.1:${tlsPort}/`
  const child = spawn('slapd', ['-d', '0', '-f', config, '-h', urls], { env, stdio: 'ignore' })
  const run = async (work: (client: Client) => Promise<unknown>) => {
    const client = new Client({ url: `ldap://127.0.0.1:${port}`, connectTimeout: 2_000 })
    try {
      await client.bind(ADMIN.dn, ADMIN.password)
      await work(client)
    } finally {
      await client.unbind().catch(() => {})
    }
  }
  const addSuffix = () =>
    run((client) => client.add(SUFFIX, { objectClass: ['dcObject', 'organization'], dc: 'example', o: 'Example' }))
  for (let attempt = 1; ; attempt += 1) {
    try {
      await addSuffix()
      break
    } catch (err) {
      if (attempt === 100 || child.exitCode !== null) throw err
      await wait(50)
    }
  }
  return {
    ca: ca.pem,
    env: (method) => ({
      LDAP_ENABLED: 'true',
      LDAP_HOST: 'localhost',
      LDAP_PORT: method === 'simple_tls' ? tlsPort : port,
      LDAP_METHOD: method,
      LDAP_BASE: SUFFIX,
      LDAP_BIND_DN: ADMIN.dn,
      LDAP_PASSWORD: ADMIN.password,
      LDAP_UID: 'uid',
    }),
    async addUser({ uid, password, mail }) {
      await run((client) =>
        client.add(`uid=${uid},${SUFFIX}`, {
          objectClass: ['inetOrgPerson'],
          uid,
          cn: uid,
          sn: uid,
          displayName: `The user ${uid}`,
          userPassword: password,
          ...(mail !== undefined && { mail }),
        }),
      )
    },
    async setGroups({ uid, groups }) {
      const modification = new Attribute({ type: 'employeeType', values: [...groups] })
      await run((client) => client.modify(`uid=${uid},${SUFFIX}`, new Change({ operation: 'replace', modification })))
    },
    async close() {
      if (child.exitCode === null) {
        child.kill()
        await once(child, 'exit')
      }
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
