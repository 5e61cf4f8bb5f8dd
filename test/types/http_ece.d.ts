declare module 'http_ece' {
  import type { ECDH } from 'node:crypto'
  /** The part of the library that tests use. Strings are base64url. */
  const ece: {
    decrypt(
      body: Buffer,
      options: {
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
