import { createPrivateKey, X509Certificate } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { isIP } from 'node:net'
import type { Address, Config } from '../../platform/config.ts'
import { care, fine, reasonOf, trouble } from './finding.ts'
import type { Finding } from './finding.ts'

const DAY_MS = 86_400_000
/** Who renews automatically has done so by then. */
const RENEWAL_DAYS = 14

/** The domain of handles, the address, and the certificate if we serve https ourselves. `served`: the server's last start. */
export async function checkDomain(
  config: Config,
  { served, now }: { served: Address | null; now: Date },
): Promise<Finding[]> {
  const findings = [checkSettled(config, served), checkOrigin(config)]
  if (config.tls) findings.push(await checkCertificate(config, { tls: config.tls, now }))
  return findings
}

function checkSettled({ localDomain }: Config, served: Address | null): Finding {
  const handle = `handles end in @${localDomain}`
  if (served === null)
    return care(`${handle}, not fixed yet`, 'the first start fixes the domain permanently: set LOCAL_DOMAIN before')
  if (served.localDomain === localDomain) return fine(handle)
  return trouble(
    `LOCAL_DOMAIN is ${localDomain}, but the server was first started as ${served.localDomain}`,
    `set LOCAL_DOMAIN=${served.localDomain}`,
  )
}

function checkOrigin({ origin, webDomain, localDomain }: Config): Finding {
  const { protocol, hostname } = new URL(origin)
  if (protocol === 'https:') {
    return fine(webDomain === localDomain ? `the URL is ${origin}` : `the URL is ${origin} (WEB_DOMAIN)`)
  }
  const here = hostname === 'localhost' || hostname.endsWith('.localhost')
  if (here) return care(`the URL is ${origin}, for this machine only`, 'apps on other machines need a domain and HTTPS')
  return care(`the URL is ${origin}, without HTTPS`, 'passwords are sent in clear text, and most apps reject it')
}

async function checkCertificate(
  { webDomain }: Config,
  { tls, now }: { tls: { certFile: string; keyFile: string }; now: Date },
): Promise<Finding> {
  const host = webDomain.replace(/:\d+$/, '')
  try {
    const certificate = new X509Certificate(await readFile(tls.certFile))
    if (!certificate.checkPrivateKey(createPrivateKey(await readFile(tls.keyFile)))) {
      return trouble('TLS_KEY_FILE is not the key of TLS_CERT_FILE', 'set matching files')
    }
    if (!(isIP(host) === 0 ? certificate.checkHost(host) : certificate.checkIP(host))) {
      return trouble(`the certificate is not valid for ${host}`, 'use a certificate for this domain')
    }
    return judgeDays(certificate.validToDate, now)
  } catch (err) {
    return trouble(
      `the certificate is not usable: ${reasonOf(err)}`,
      'TLS_CERT_FILE and TLS_KEY_FILE must be PEM files',
    )
  }
}

function judgeDays(end: Date, now: Date): Finding {
  const days = Math.floor((end.getTime() - now.getTime()) / DAY_MS)
  const date = end.toISOString().slice(0, 10)
  if (days < 0) return trouble(`the certificate expired on ${date}`, 'renew it and restart the server')
  const text = `the certificate is valid until ${date}`
  return days < RENEWAL_DAYS ? care(`${text} (${days} days left)`, 'renew it and restart the server') : fine(text)
}
