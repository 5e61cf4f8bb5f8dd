import { createCipheriv, createHash, publicEncrypt, randomBytes, randomUUID, sign } from 'node:crypto'
import { inflateRawSync } from 'node:zlib'
import { createCa } from '../certificates.ts'

const IDP = 'https://idp.test/metadata'
const DS = 'http://www.w3.org/2000/09/xmldsig#'
const C14N = 'http://www.w3.org/2001/10/xml-exc-c14n#'

/** What an assertion states, and how it differs from a valid one. */
export interface AssertionInput {
  nameId: string
  /** null: the subject names no request. */
  inResponseTo: string | null
  attributes?: Record<string, string | readonly string[]>
  id?: string
  audience?: string
  recipient?: string
  /** Instead of `bearer`; null: no confirmation of the subject. */
  method?: string | null
  /** Seconds by which all times are moved. */
  ageSeconds?: number
  signed?: boolean
}

export interface SamlProvider {
  env: Record<string, string>
  /** Reads the request in the URL to which a log-in redirects. */
  readRequest(url: URL): { id: string; relayState: string; xml: string; url: URL }
  /** Returns a signed assertion. Another provider (`by`) has another key. */
  createAssertion(input: AssertionInput): string
  /** Returns the parameter `SAMLResponse` with assertions. */
  createResponse(content: string, input: { inResponseTo: string; prolog?: string }): string
}

/**
 * Creates a SAML identity provider without a server: the test is the browser between both. `origin`: of the server that
 * uses it. `ssoUrl`: its log-in page.
 */
export function createSamlProvider({
  origin = 'https://linnet.test',
  ssoUrl = 'https://idp.test/sso',
} = {}): SamlProvider {
  const acsUrl = `${origin}/auth/auth/saml/callback`
  const issuer = `${origin}/saml`
  const { key, cert } = createCa().issue(['idp.test'], { keyType: 'rsa' })
  const createAssertion: SamlProvider['createAssertion'] = ({
    nameId,
    inResponseTo,
    attributes = {},
    id = `_${randomUUID()}`,
    audience = issuer,
    recipient = acsUrl,
    method = 'bearer',
    ageSeconds = 0,
    signed = true,
  }) => {
    const at = (seconds: number) => new Date(Date.now() + (seconds - ageSeconds) * 1000).toISOString()
    const statements = Object.entries(attributes).map(
      ([name, values]) =>
        `<saml:Attribute Name="${name}">${[values]
          .flat()
          .map((value) => `<saml:AttributeValue>${value}</saml:AttributeValue>`)
          .join('')}</saml:Attribute>`,
    )
    const request = inResponseTo === null ? '' : `InResponseTo="${inResponseTo}" `
    const confirmation = `<saml:SubjectConfirmation Method="urn:oasis:names:tc:SAML:2.0:cm:${method}"><saml:SubjectConfirmationData ${request}NotOnOrAfter="${at(300)}" Recipient="${recipient}"></saml:SubjectConfirmationData></saml:SubjectConfirmation>`
    // Written in its canonical form (Exclusive XML Canonicalization), so that its digest is that of the text.
    const head = `<saml:Assertion xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" ID="${id}" IssueInstant="${at(0)}" Version="2.0"><saml:Issuer>${IDP}</saml:Issuer>`
    const rest = [
      `<saml:Subject><saml:NameID>${nameId}</saml:NameID>${method === null ? '' : confirmation}</saml:Subject>`,
      `<saml:Conditions NotBefore="${at(-60)}" NotOnOrAfter="${at(300)}"><saml:AudienceRestriction><saml:Audience>${audience}</saml:Audience></saml:AudienceRestriction></saml:Conditions>`,
      `<saml:AuthnStatement AuthnInstant="${at(0)}"><saml:AuthnContext><saml:AuthnContextClassRef>urn:oasis:names:tc:SAML:2.0:ac:classes:Password</saml:AuthnContextClassRef></saml:AuthnContext></saml:AuthnStatement>`,
      statements.length > 0 ? `<saml:AttributeStatement>${statements.join('')}</saml:AttributeStatement>` : '',
      '</saml:Assertion>',
    ].join('')
    return head + (signed ? createSignature({ id, text: (head + rest).replaceAll(/<!--.*?-->/g, '') }) : '') + rest
  }
  function createSignature({ id, text }: { id: string; text: string }): string {
    const digest = createHash('sha256').update(text).digest('base64')
    const method = (name: string, algorithm: string) => `<ds:${name} Algorithm="${algorithm}"></ds:${name}>`
    const signedInfo = [
      `<ds:SignedInfo xmlns:ds="${DS}">`,
      method('CanonicalizationMethod', C14N),
      method('SignatureMethod', 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256'),
      `<ds:Reference URI="#${id}"><ds:Transforms>${method('Transform', `${DS}enveloped-signature`)}${method('Transform', C14N)}</ds:Transforms>`,
      method('DigestMethod', 'http://www.w3.org/2001/04/xmlenc#sha256'),
      `<ds:DigestValue>${digest}</ds:DigestValue></ds:Reference></ds:SignedInfo>`,
    ].join('')
    const signature = sign('sha256', Buffer.from(signedInfo), key).toString('base64')
    return `<ds:Signature xmlns:ds="${DS}">${signedInfo}<ds:SignatureValue>${signature}</ds:SignatureValue></ds:Signature>`
  }
  return {
    env: {
      SAML_ENABLED: 'true',
      SAML_DISPLAY_NAME: 'Campus login',
      SAML_ISSUER: issuer,
      SAML_IDP_SSO_TARGET_URL: ssoUrl,
      SAML_IDP_CERT: cert,
      SAML_ATTRIBUTES_STATEMENTS_VERIFIED: 'verified',
    },
    readRequest(url) {
      const xml = inflateRawSync(Buffer.from(url.searchParams.get('SAMLRequest')!, 'base64')).toString()
      return { id: /\bID="([^"]+)"/.exec(xml)![1]!, relayState: url.searchParams.get('RelayState')!, xml, url }
    },
    createAssertion,
    createResponse(content, { inResponseTo, prolog = '' }) {
      const status =
        '<samlp:Status><samlp:StatusCode Value="urn:oasis:names:tc:SAML:2.0:status:Success"></samlp:StatusCode></samlp:Status>'
      const xml = `${prolog}<samlp:Response xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" Destination="${acsUrl}" ID="_${randomUUID()}" InResponseTo="${inResponseTo}" IssueInstant="${new Date().toISOString()}" Version="2.0"><saml:Issuer>${IDP}</saml:Issuer>${status}${content}</samlp:Response>`
      return Buffer.from(xml).toString('base64')
    },
  }
}

/** Encrypts an assertion for the owner of a certificate (XML Encryption 1.1: AES-256-GCM, the key by RSA-OAEP). */
export function encryptAssertion(assertion: string, { cert }: { cert: string }): string {
  const [key, iv] = [randomBytes(32), randomBytes(12)]
  const cipher = createCipheriv('aes-256-gcm', key, iv)
  const encrypted = Buffer.concat([iv, cipher.update(assertion), cipher.final(), cipher.getAuthTag()])
  const encryptedKey = publicEncrypt({ key: cert, oaepHash: 'sha1' }, key)
  const valueOf = (bytes: Buffer) =>
    `<xenc:CipherData><xenc:CipherValue>${bytes.toString('base64')}</xenc:CipherValue></xenc:CipherData>`
  return [
    '<saml:EncryptedAssertion><xenc:EncryptedData xmlns:xenc="http://www.w3.org/2001/04/xmlenc#" Type="http://www.w3.org/2001/04/xmlenc#Element">',
    '<xenc:EncryptionMethod Algorithm="http://www.w3.org/2009/xmlenc11#aes256-gcm"></xenc:EncryptionMethod>',
    `<ds:KeyInfo xmlns:ds="${DS}"><xenc:EncryptedKey><xenc:EncryptionMethod Algorithm="http://www.w3.org/2001/04/xmlenc#rsa-oaep-mgf1p"></xenc:EncryptionMethod>${valueOf(encryptedKey)}</xenc:EncryptedKey></ds:KeyInfo>`,
    `${valueOf(encrypted)}</xenc:EncryptedData></saml:EncryptedAssertion>`,
  ].join('')
}
