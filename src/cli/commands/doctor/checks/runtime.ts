import { ok, errorMessageOf, problem } from './finding.ts'
import type { Finding } from './finding.ts'

/** The oldest Node with all features that Linnet uses. */
const MIN_NODE_VERSION = 24

/** Checks Node and the image library. */
export async function checkRuntime(): Promise<Finding[]> {
  return [checkNode(), await checkImageLibrary()]
}

function checkNode(): Finding {
  const { node } = process.versions
  if (Number.parseInt(node, 10) >= MIN_NODE_VERSION) return ok(`Node ${node}`)
  return problem(`Node ${node} is too old`, 'use npm start or bin/linnet, which run the pinned version')
}

/** Encodes an image of one pixel, because a library that loads may still lack a component. */
async function checkImageLibrary(): Promise<Finding> {
  try {
    const { default: sharp } = await import('sharp')
    const pixel = { width: 1, height: 1, channels: 3, background: '#fff' } as const
    await sharp({ create: pixel }).webp().toBuffer()
    return ok(`images can be decoded (libvips ${sharp.versions.vips})`)
  } catch (err) {
    return problem(`images cannot be decoded: ${errorMessageOf(err)}`, 'run npm ci on this machine')
  }
}
