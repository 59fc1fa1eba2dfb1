import { generateKeyPairSync, randomBytes, sign, X509Certificate } from 'node:crypto';

export interface Certificate {
  readonly key: string;
  readonly cert: string;
}

/** One DER element: its tag, its length, its content. */
function der(tag: number, ...content: readonly Uint8Array[]): Buffer {
  const body = Buffer.concat(content);
  const long = body.length < 256 ? [0x81] : [0x82, body.length >> 8];
  const size = body.length < 128 ? [body.length] : [...long, body.length & 255];
  return Buffer.concat([Buffer.from([tag, ...size]), body]);
}

const sequence = (...content: readonly Uint8Array[]) => der(0x30, ...content);
const hex = (tag: number, text: string) => der(tag, Buffer.from(text, 'hex'));
const text = (tag: number, content: string) => der(tag, Buffer.from(content));

/** A certificate for a host name that signed itself: valid for ever, and trusted by whoever is told to trust it. */
export function selfSigned(host: string): Certificate {
  return issue(host, null);
}

/** A certificate for a host name, signed by an authority; may sign nothing itself, as strict clients want it. */
export function signedBy(authority: Certificate, host: string): Certificate {
  return issue(host, authority);
}

function issue(host: string, authority: Certificate | null): Certificate {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
  const ecdsaWithSha256 = sequence(hex(0x06, '2a8648ce3d040302'));
  const nameOf = (common: string) => sequence(der(0x31, sequence(hex(0x06, '550403'), text(0x0c, common))));
  const issuer = authority === null ? host : new X509Certificate(authority.cert).subject.replace(/^CN=/, '');
  const always = sequence(text(0x18, '20000101000000Z'), text(0x18, '99991231235959Z'));
  const names = sequence(hex(0x06, '551d11'), der(0x04, sequence(text(0x82, host))));
  const isAuthority = sequence(hex(0x06, '551d13'), der(0x04, sequence(hex(0x01, 'ff'))));
  const serial = Buffer.concat([Buffer.from([1]), randomBytes(8)]);
  const content = sequence(
    der(0xa0, hex(0x02, '02')),
    der(0x02, serial),
    ecdsaWithSha256,
    nameOf(issuer),
    always,
    nameOf(host),
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, authority === null ? sequence(names, isAuthority) : sequence(names)),
  );
  const signer = authority === null ? privateKey : authority.key;
  const signature = der(0x03, Buffer.from([0]), sign('sha256', content, signer));
  const encoded =
    sequence(content, ecdsaWithSha256, signature)
      .toString('base64')
      .match(/.{1,64}/g) ?? [];
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${encoded.join('\n')}\n-----END CERTIFICATE-----\n`,
  };
}
