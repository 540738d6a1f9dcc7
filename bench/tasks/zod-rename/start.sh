# A rename in four files of an npm package, 128 places.
npm pack --silent zod@4.1.13
tar xzf zod-4.1.13.tgz --strip-components 1
rm zod-4.1.13.tgz
