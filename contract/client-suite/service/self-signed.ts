/**
 * A self-signed certificate for this machine with its private key. It secures nothing: everybody can read the key, and nobody trusts the
 * certificate. A client must therefore reject it.
 */
export const selfSigned = {
  cert: `-----BEGIN CERTIFICATE-----
MIIBmjCCAUGgAwIBAgIUNlVk+0U1fBW31677j92UI/5UdkYwCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJMTI3LjAuMC4xMCAXDTI2MTEyMzExMDAxMVoYDzIxMjYxMDMw
MTEwMDExWjAUMRIwEAYDVQQDDAkxMjcuMC4wLjEwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAARyzN3cpMBYVhYH3VKraSDESkNepSiaBuCbbNstWYD2UHrmtwvi3mSm
v+yeUYvHgGs6oNMLOrfwlFuLtq4g3dsho28wbTAdBgNVHQ4EFgQUaWFiEn/FCVMb
HHul4i4QuPF56SIwHwYDVR0jBBgwFoAUaWFiEn/FCVMbHHul4i4QuPF56SIwDwYD
VR0TAQH/BAUwAwEB/zAaBgNVHREEEzARhwR/AAABgglsb2NhbGhvc3QwCgYIKoZI
zj0EAwIDRwAwRAIgSkTKWzUi8tgV33MdGQ4m7F3CTrbwzeJUv/vx7e1/hcACIEv0
7ysXebIyNKsLhZ1mVxtvjNV4uNYOZkbPp9kJ4SXm
-----END CERTIFICATE-----`,
  key: `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgIoGTBwmGGCDi0ION
06knpQV/KFIXHsYTWaprRSSwHyShRANCAARyzN3cpMBYVhYH3VKraSDESkNepSia
BuCbbNstWYD2UHrmtwvi3mSmv+yeUYvHgGs6oNMLOrfwlFuLtq4g3dsh
-----END PRIVATE KEY-----`,
};
