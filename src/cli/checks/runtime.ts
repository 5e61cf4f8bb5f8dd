import { fine, reasonOf, trouble } from './finding.ts'
import type { Finding } from './finding.ts'

/** The oldest Node that has all that is used. */
const OLDEST_NODE = 24

/** The programs that everything runs on: Node, and the library for pictures. */
export async function checkRuntime(): Promise<Finding[]> {
  return [checkNode(), await checkPictures()]
}

function checkNode(): Finding {
  const { node } = process.versions
  if (Number.parseInt(node, 10) >= OLDEST_NODE) return fine(`Node ${node}`)
  return trouble(`Node ${node} is too old`, 'use npm start or bin/linnet, which run the pinned version')
}

/** Draws a picture of one point: a library that loads may still lack a part of it. */
async function checkPictures(): Promise<Finding> {
  try {
    const { default: sharp } = await import('sharp')
    const dot = { width: 1, height: 1, channels: 3, background: '#fff' } as const
    await sharp({ create: dot }).webp().toBuffer()
    return fine(`images can be decoded (libvips ${sharp.versions.vips})`)
  } catch (err) {
    return trouble(`images cannot be decoded: ${reasonOf(err)}`, 'run npm ci on this machine')
  }
}
