declare module 'http_ece' {
  import type { ECDH } from 'node:crypto'
  /** What of the library is used here. Texts are base64url. */
  const ece: {
    decrypt(
      body: Buffer,
      how: {
        version: 'aes128gcm' | 'aesgcm'
        privateKey: ECDH
        authSecret: string
        dh?: string | undefined
        salt?: string | undefined
      },
    ): Buffer
  }
  export default ece
}
