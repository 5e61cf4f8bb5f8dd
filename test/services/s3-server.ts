import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import S3rver from 's3rver'

/** An S3 server with an empty bucket. */
export interface S3Server {
  port: number
  /** The environment variables with which a server under test stores its files there. */
  readonly env: Record<string, string>
  /** Stops the server, so that requests fail. */
  stop(): Promise<void>
  close(): Promise<void>
}

const BUCKET = 'media'

export async function openS3(): Promise<S3Server> {
  const directory = await mkdtemp(join(tmpdir(), 'linnet-s3-'))
  const buckets = [{ name: BUCKET, configs: [] }]
  const server = new S3rver({ address: '127.0.0.1', port: 0, silent: true, directory, configureBuckets: buckets })
  const { port } = await server.run()
  let stopped: Promise<void> | undefined
  const stop = () => (stopped ??= server.close())
  return {
    port,
    env: {
      S3_ENABLED: 'true',
      S3_BUCKET: BUCKET,
      S3_ENDPOINT: `http://127.0.0.1:${port}`,
      // s3rver can fail when it deletes many files of one folder at once.
      S3_RETRY_LIMIT: '3',
      AWS_ACCESS_KEY_ID: 'S3RVER',
      AWS_SECRET_ACCESS_KEY: 'S3RVER',
    },
    stop,
    async close() {
      await stop()
      await rm(directory, { recursive: true, force: true })
    },
  }
}
