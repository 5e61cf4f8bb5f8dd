import { createPrivateKey, X509Certificate } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { isIP } from 'node:net'
import type { ServerAddress, Config } from '../../../../platform/config/config.ts'
import { warning, ok, errorMessageOf, problem } from './finding.ts'
import type { Finding } from './finding.ts'

const DAY_MS = 86_400_000
/** Automatic renewals happen earlier than this. */
const RENEWAL_WARNING_DAYS = 14

/**
 * Checks the domain of handles, the URL, and the certificate if this server terminates TLS. `lastAddress`: the address
 * of the last start.
 */
export async function checkDomain(
  config: Config,
  { lastAddress, now }: { lastAddress: ServerAddress | 'unknown' | null; now: Date },
): Promise<Finding[]> {
  const findings = lastAddress === 'unknown' ? [] : [checkLocalDomain(config, lastAddress)]
  findings.push(checkOrigin(config))
  if (config.tls) findings.push(await checkCertificate(config, { tls: config.tls, now }))
  return findings
}

function checkLocalDomain({ localDomain }: Config, lastAddress: ServerAddress | null): Finding {
  const handle = `handles end in @${localDomain}`
  if (lastAddress === null)
    return warning(`${handle}, not fixed yet`, 'the first start fixes the domain permanently: set LOCAL_DOMAIN before')
  if (lastAddress.localDomain === localDomain) return ok(handle)
  return problem(
    `LOCAL_DOMAIN is ${localDomain}, but the server was first started as ${lastAddress.localDomain}`,
    `set LOCAL_DOMAIN=${lastAddress.localDomain}`,
  )
}

function checkOrigin({ origin, webDomain, localDomain }: Config): Finding {
  const { protocol, hostname } = new URL(origin)
  if (protocol === 'https:') {
    return ok(webDomain === localDomain ? `the URL is ${origin}` : `the URL is ${origin} (WEB_DOMAIN)`)
  }
  const isLoopback = hostname === 'localhost' || hostname.endsWith('.localhost')
  if (isLoopback)
    return warning(`the URL is ${origin}, for this machine only`, 'apps on other machines need a domain and HTTPS')
  return warning(`the URL is ${origin}, without HTTPS`, 'passwords are sent in clear text, and most apps reject it')
}

async function checkCertificate(
  { webDomain }: Config,
  { tls, now }: { tls: { certFile: string; keyFile: string }; now: Date },
): Promise<Finding> {
  const host = webDomain.replace(/:\d+$/, '')
  try {
    const certificate = new X509Certificate(await readFile(tls.certFile))
    if (!certificate.checkPrivateKey(createPrivateKey(await readFile(tls.keyFile)))) {
      return problem('TLS_KEY_FILE is not the key of TLS_CERT_FILE', 'set matching files')
    }
    if (!(isIP(host) === 0 ? certificate.checkHost(host) : certificate.checkIP(host))) {
      return problem(`the certificate is not valid for ${host}`, 'use a certificate for this domain')
    }
    return checkExpiry(certificate.validToDate, now)
  } catch (err) {
    return problem(
      `the certificate is not usable: ${errorMessageOf(err)}`,
      'TLS_CERT_FILE and TLS_KEY_FILE must be PEM files',
    )
  }
}

function checkExpiry(end: Date, now: Date): Finding {
  const days = Math.floor((end.getTime() - now.getTime()) / DAY_MS)
  const date = end.toISOString().slice(0, 10)
  if (days < 0) return problem(`the certificate expired on ${date}`, 'renew it and restart the server')
  const text = `the certificate is valid until ${date}`
  return days < RENEWAL_WARNING_DAYS
    ? warning(`${text} (${days} days left)`, 'renew it and restart the server')
    : ok(text)
}
